import { imageTokens } from "./attachments.ts";
import type { EventData } from "./events.ts";
import type { ContentBlock, Message } from "./messages.ts";

type Header = EventData<"request/header">["header"];

const charsPerToken = 4;
/** what a block, a message and a part of the header cost beside their text, in tokens */
const overhead = 4;

const ofText = (text: string): number => text.length / charsPerToken;

/** Frozen messages of logs, measured once each. */
const known = new WeakMap<Message, number>();

/** Tokens of a message by rule of thumb (TOK-1): a quarter of its characters, and a little for each block and for itself. */
export function estimateMessage(message: Message): number {
  const measured = known.get(message);
  if (measured !== undefined) return measured;
  const tokens = Math.ceil(overhead + message.content.reduce((sum, block) => sum + ofBlock(block), 0));
  if (Object.isFrozen(message)) known.set(message, tokens);
  return tokens;
}

/** Tokens of what goes along with every request (TOK-1). */
export function estimateHeader(header: Header): number {
  const { system, tools } = estimateHeaderParts(header);
  return Math.ceil(system + tools);
}

/** The same by part, not rounded. */
export function estimateHeaderParts({ system, tools }: Header): { readonly system: number; readonly tools: number } {
  const ofPart = (text: string | undefined) => (text ? ofText(text) + overhead : 0);
  return { system: ofPart(system), tools: ofPart(tools && JSON.stringify(tools)) };
}

function ofBlock(block: ContentBlock): number {
  if (block.type === "tool-call") return overhead + ofText(block.name) + ofText(block.arguments);
  if (block.type === "tool-result") return overhead + block.content.reduce((sum, part) => sum + ofBlock(part), 0);
  if (block.type === "image") return overhead + imageTokens(block);
  return overhead + ofText(block.text);
}
