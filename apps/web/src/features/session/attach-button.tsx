import { Paperclip } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { attachmentTexts } from "../../strings/en/attachments.ts";
import { Button } from "../../ui/button.tsx";

/** Opens the browser's choice of files. */
export function AttachButton({ onFiles }: { onFiles: (files: Iterable<File>) => void }): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <Button
        size="small"
        look="quiet"
        className="max-sm:h-11 max-sm:min-w-11 max-sm:justify-center"
        aria-label={attachmentTexts.attach}
        title={attachmentTexts.attach}
        onClick={() => picker.current?.click()}
      >
        <Paperclip aria-hidden className="size-4" />
      </Button>
    </>
  );
}
