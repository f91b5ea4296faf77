import type { ContentBlock, Message } from "@gantry/contracts";

/** What stays of a long text at its beginning and end, in UTF-16 units. */
const [headChars, tailChars] = [4_000, 1_000];
const gap = "\n\n[... left out of this request ...]\n\n";

/**
 * The same messages with long texts of people and tools cut out of the middle; null when none is long. For a request only: the history keeps them. A model's
 * own words stay, for what its provider wants back with them has to fit.
 */
export function shortened(messages: readonly Message[]): Message[] | null {
  let isCut = false;
  const cut = (text: string): string => {
    if (text.length <= headChars + gap.length + tailChars) return text;
    isCut = true;
    return (text.slice(0, headChars) + gap + text.slice(-tailChars)).toWellFormed();
  };
  const shorter = (block: ContentBlock): ContentBlock => {
    if (block.type === "text") return { ...block, text: cut(block.text) };
    if (block.type !== "tool-result") return block;
    return { ...block, content: block.content.map((part) => (part.type === "text" ? { ...part, text: cut(part.text) } : part)) };
  };
  const result = messages.map((message) => (message.role === "user" ? { ...message, content: message.content.map(shorter) } : message));
  return isCut ? result : null;
}
