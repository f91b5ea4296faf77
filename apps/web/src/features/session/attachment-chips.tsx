import { LoaderCircle, Paperclip, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../lib/cx.ts";
import { attachmentTexts } from "../../strings/en/attachments.ts";
import { fill } from "../../strings/fill.ts";
import type { Attaching } from "./use-attachments.ts";

const looks = {
  uploading: { icon: LoaderCircle, look: "animate-spin text-accent" },
  ready: { icon: Paperclip, look: "text-soft" },
  failed: { icon: TriangleAlert, look: "text-bad" },
} as const;

type Props = { items: readonly Attaching[]; onRemove: (key: string) => void };

/** The files that go with the next message. */
export default function AttachmentChips({ items, onRemove }: Props): ReactNode {
  return (
    <ul aria-label={attachmentTexts.list} className="flex flex-wrap gap-1.5 px-3 pt-3">
      {items.map(({ key, name, preview, state, why }) => {
        const { icon: Icon, look } = looks[state];
        return (
          <li
            key={key}
            role={why ? "alert" : undefined}
            className={cx("flex max-w-full items-center gap-1.5 rounded-box border px-2 py-1 text-tool", why && "bg-bad-wash")}
          >
            {preview && state === "ready" ? (
              // biome-ignore lint/performance/noImgElement: the picture is in this page already
              <img src={preview} alt="" className="size-8 shrink-0 rounded object-cover" />
            ) : (
              <Icon aria-hidden className={cx("size-3.5 shrink-0", look)} />
            )}
            <span className="min-w-0">
              <span className="block truncate">{name}</span>
              {why && <span className="block text-bad text-xs">{why}</span>}
            </span>
            <button
              type="button"
              onClick={() => onRemove(key)}
              aria-label={fill(attachmentTexts.detach, { name })}
              className="rounded p-0.5 text-soft hover:text-ink max-sm:p-2.5"
            >
              <X aria-hidden className="size-3.5" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
