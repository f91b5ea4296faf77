"use client";
import { Paperclip } from "lucide-react";
import { useParams } from "next/navigation";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { attachmentTexts } from "../../../strings/en/attachments.ts";
import { fill } from "../../../strings/fill.ts";
import type { Attached } from "../model/attached.ts";

const ImageDialog = lazy(() => import("./image-dialog.tsx"));

/** Where an attachment of this page's organisation is read. */
export function useAttachmentAddress(): (attachmentId: string) => string {
  const { org } = useParams<{ org: string }>();
  return (attachmentId) => `/api/attachments/${encodeURIComponent(attachmentId)}?${new URLSearchParams({ org })}`;
}

/** A picture of the session at a size that leaves the list readable; it opens large. */
export function AttachedImage({ attachmentId, name }: { attachmentId: string; name: string }): ReactNode {
  const address = useAttachmentAddress()(attachmentId);
  const [isOpen, setOpen] = useState(false);
  const shown = name || attachmentTexts.image;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        title={attachmentTexts.enlarge}
        onClick={() => setOpen(true)}
        className="inline-block max-w-full cursor-zoom-in rounded-box border bg-panel"
      >
        {/* a fixed height, so that rows keep theirs while pictures load */}
        {/* biome-ignore lint/performance/noImgElement: it is read with the person's login, which an image optimiser does not have */}
        <img src={address} alt={shown} loading="lazy" decoding="async" className="h-32 w-auto max-w-full rounded-box object-contain" />
      </button>
      <Suspense>{isOpen && <ImageDialog address={address} name={shown} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

/** What came with a message. */
export function AttachedList({ attachments }: { attachments: readonly Attached[] }): ReactNode {
  const addressOf = useAttachmentAddress();
  return (
    <ul aria-label={attachmentTexts.list} className="mt-2 flex flex-wrap gap-2">
      {attachments.map(({ kind, attachmentId, name, cut }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list of a logged message never changes, and may name a file twice
        <li key={`${attachmentId}:${at}`} className="max-w-full">
          {kind === "image" ? (
            <AttachedImage attachmentId={attachmentId} name={name} />
          ) : (
            <a
              href={addressOf(attachmentId)}
              className="flex flex-wrap items-center gap-x-1.5 rounded-box border px-2 py-1 text-tool hover:underline"
            >
              <Paperclip aria-hidden className="size-3.5 text-soft" /> <span className="min-w-0 truncate">{name}</span>
              {cut && (
                <span className="text-warn text-xs">
                  {fill(attachmentTexts.cut, { shown: cut.shown.toLocaleString("en"), of: cut.of.toLocaleString("en") })}
                </span>
              )}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
