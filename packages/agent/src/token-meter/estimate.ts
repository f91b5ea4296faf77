import { type ContentBlock, type EventData, imageTokens, type Message } from "@gantry/contracts";

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
export function estimateHeader({ system, tools }: Header): number {
  return Math.ceil((system ? ofText(system) + overhead : 0) + (tools ? ofText(JSON.stringify(tools)) + overhead : 0));
}

function ofBlock(block: ContentBlock): number {
  if (block.type === "tool-call") return overhead + ofText(block.name) + ofText(block.arguments);
  if (block.type === "tool-result") return overhead + block.content.reduce((sum, part) => sum + ofBlock(part), 0);
  if (block.type === "image") return overhead + imageTokens(block);
  return overhead + ofText(block.text);
}
