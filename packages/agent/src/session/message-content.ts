import type { ContentBlock, MessageAttachment } from "@gantry/contracts";

/** A message of a person as blocks: the text, then what is attached, in the order in which it was attached. */
export function messageContent({
  text,
  attachments = [],
}: {
  text: string;
  attachments?: readonly MessageAttachment[] | undefined;
}): ContentBlock[] {
  const words: ContentBlock[] = text === "" && attachments.length > 0 ? [] : [{ type: "text", text }];
  return [...words, ...attachments.map((attachment) => (attachment.type === "image" ? attachment : fileBlock(attachment)))];
}

function fileBlock({ attachmentId, name, text, chars }: Extract<MessageAttachment, { type: "text-file" }>): ContentBlock {
  const cut = text.length < chars ? ` (cut off: the first ${text.length} of ${chars} characters)` : "";
  const fence = fenceFor(text);
  return { type: "text", text: `Attached file ${JSON.stringify(name)}${cut}:\n${fence}\n${text}\n${fence}`, file: { attachmentId, name } };
}

/** Longer than any run of backticks in the text, so that no file ends its own frame. */
function fenceFor(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  return "`".repeat(longest + 1);
}
