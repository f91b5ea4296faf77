"use client";
import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { attachmentTexts } from "../../../strings/en/attachments.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";

type Props = { address: string; name: string; onClose: () => void };

/** A picture of the session as large as the window allows. */
export default function ImageDialog({ address, name, onClose }: Props): ReactNode {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={name} wide>
      {/* biome-ignore lint/performance/noImgElement: it is read with the person's login, which an image optimiser does not have */}
      <img src={address} alt={name} className="mx-auto max-h-[calc(100dvh-180px)] max-w-full rounded-md bg-panel object-contain" />
      <div className="mt-4 flex justify-end">
        <Button asChild size="small" className="max-sm:h-11">
          <a href={address} target="_blank" rel="noreferrer">
            <ExternalLink aria-hidden className="size-4" /> {attachmentTexts.openTab}
          </a>
        </Button>
      </div>
    </Dialog>
  );
}
