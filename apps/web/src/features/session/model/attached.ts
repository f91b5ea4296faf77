import type { Message } from "@gantry/contracts";

/** A file that came with a message: an image, or a text that the model was given; `cut`: only its beginning, in characters. */
export type Attached = {
  readonly kind: "image" | "file";
  readonly attachmentId: string;
  readonly name: string;
  readonly cut?: { readonly shown: number; readonly of: number };
};

/** How the model's text begins for a file that was too long for it. */
const cutOff = /^Attached file "(?:[^"\\]|\\.)*" \(cut off: the first (\d+) of (\d+) characters\):\n/;

/** What came with a message, as a part of its row; nothing for none. */
export function attachedTo({ content }: Message): { readonly attachments?: readonly Attached[] } {
  const attachments = content.flatMap((block): Attached[] => {
    if (block.type === "image") return [{ kind: "image", attachmentId: block.attachmentId, name: block.name ?? "" }];
    return block.type === "text" && block.file ? [{ kind: "file", ...block.file, ...cutIn(block.text) }] : [];
  });
  return attachments.length > 0 ? { attachments } : {};
}

function cutIn(text: string): Pick<Attached, "cut"> {
  const [, shown, of] = cutOff.exec(text) ?? [];
  return shown === undefined ? {} : { cut: { shown: Number(shown), of: Number(of) } };
}

/** What stands in a list for a message without words. */
export const namesOf = (attachments: readonly { readonly name: string }[] | undefined): string =>
  (attachments ?? []).map(({ name }) => name).join(", ");
