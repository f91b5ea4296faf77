import type { ClipboardEvent, DragEvent } from "react";
import { attachmentTexts } from "../../strings/en/attachments.ts";

/** A longer text that is pasted becomes a file of the message: a field that holds it is slow at each key (CP-12). In UTF-16 units, and in lines. */
const longPaste = { chars: 20_000, lines: 200 };

/** Hands what is pasted or dropped to `add` where it goes along as files; the field takes the rest. */
export const takesFiles = (add: (files: Iterable<File>) => void) => ({
  onPaste: (event: ClipboardEvent) => {
    const files = pastedFiles(event.clipboardData);
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  },
  onDrop: (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    add(event.dataTransfer.files);
  },
});

function pastedFiles(pasted: DataTransfer): File[] {
  const text = pasted.getData("text/plain");
  if (isLong(text)) return [new File([text], attachmentTexts.pasted, { type: "text/plain" })];
  // what was copied from a document has its text and a picture of it: the text is meant
  return pasted.types.includes("text/plain") ? [] : [...pasted.files];
}

function isLong(text: string): boolean {
  if (text.length > longPaste.chars) return true;
  return text.split("\n", longPaste.lines + 1).length > longPaste.lines;
}
