import type { Message } from "@gantry/contracts";

/** A file that came with a message: an image, or a text that the model was given. */
export type Attached = { readonly kind: "image" | "file"; readonly attachmentId: string; readonly name: string };

/** What came with a message, as a part of its row; nothing for none. */
export function attachedTo({ content }: Message): { readonly attachments?: readonly Attached[] } {
  const attachments = content.flatMap((block): Attached[] => {
    if (block.type === "image") return [{ kind: "image", attachmentId: block.attachmentId, name: block.name ?? "" }];
    return block.type === "text" && block.file ? [{ kind: "file", ...block.file }] : [];
  });
  return attachments.length > 0 ? { attachments } : {};
}

/** What stands in a list for a message without words. */
export const namesOf = (attachments: readonly { readonly name: string }[] | undefined): string =>
  (attachments ?? []).map(({ name }) => name).join(", ");
