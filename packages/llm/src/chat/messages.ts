import { type ContentBlock, type ImageBlock, type Message, type ToolResultBlock, type ToolSchema, textsOf } from "@gantry/contracts";
import { GrowingBytes } from "../growing-bytes.ts";
import { historyFold } from "../history-fold.ts";
import { replayedBlock } from "../replay-state.ts";
import type { AdapterRequest } from "../request.ts";
import { callInput } from "../wire/prompt.ts";
import { maxWordChars, safeWord } from "../wire/safe-word.ts";

/** Frozen messages of logs, each written once in its life for each name of thinking. */
const written = { reasoning_content: new WeakMap<Message, string>(), reasoning: new WeakMap<Message, string>() };
type ThinkingName = keyof typeof written;
const writtenTools = new WeakMap<readonly ToolSchema[], Buffer>();

type Conversation = {
  readonly provider: string;
  readonly system: string | undefined;
  readonly wire: GrowingBytes;
  /** images of results wait for the end of their batch: results are text here */
  held: object[];
};
const conversationOf = historyFold<Conversation, AdapterRequest>({
  start({ provider, system }) {
    const wire = new GrowingBytes();
    if (system) wire.add(JSON.stringify({ role: "system", content: system.toWellFormed() }));
    return { provider, system, wire, held: [] };
  },
  fits: (conversation, { provider, system }) => conversation.provider === provider && conversation.system === system,
  keeps: isSettled,
  take(conversation, message, { imageData: data }) {
    if (conversation.held.length > 0 && !message.content.some(isResult)) release(conversation);
    const thinking = thinkingName(message, conversation.provider);
    addTo(conversation, written[thinking].get(message) ?? writeMessage(message, { data, held: conversation.held, thinking }));
  },
});

/**
 * The members of `messages` of a chat-completions request, as JSON without the brackets: system first; text before tool results where a message
 * mixes both; empty results say so; thinking goes back with its message (DSK-3), under the server's own name for it (LLM-8). Content is never null: some servers refuse it. Text is made
 * well-formed, since half a surrogate pair breaks some parsers. What the turn's last request carried is not written again (performance.md, limit 4).
 */
export function chatMessages(request: AdapterRequest): Buffer {
  const conversation = conversationOf(request);
  release(conversation); // only images are held, and a conversation with images is written for one request
  return conversation.wire.bytes;
}

function release(conversation: Conversation): void {
  if (conversation.held.length > 0) addTo(conversation, JSON.stringify({ role: "user", content: conversation.held }));
  conversation.held = [];
}

function addTo({ wire }: Conversation, text: string): void {
  if (text !== "") wire.add(wire.bytes.length > 0 ? `,${text}` : text);
}

/** The same for `tools`. */
export function chatTools(tools: readonly ToolSchema[]): Buffer {
  const known = writtenTools.get(tools);
  if (known !== undefined) return known;
  const texts = tools.map(({ name, description, parameters }) =>
    JSON.stringify({ type: "function", function: { name, description, parameters } }),
  );
  const bytes = Buffer.from(texts.join(","));
  if (Object.isFrozen(tools)) writtenTools.set(tools, bytes);
  return bytes;
}

type Writing = { readonly data: AdapterRequest["imageData"]; readonly held: object[]; readonly thinking: ThinkingName };

function writeMessage(message: Message, { data, held, thinking }: Writing): string {
  const objects = message.role === "user" ? userMessages(message, data, held) : assistantMessage(message, thinking);
  const text = objects.map((object) => JSON.stringify(object)).join(",");
  if (isSettled(message)) written[thinking].set(message, text);
  return text;
}

function userMessages({ content }: Message, data: AdapterRequest["imageData"], held: object[]): object[] {
  const parts = content.flatMap((block): object[] => {
    if (block.type === "text") return block.text === "" ? [] : [textPart(block.text)];
    return block.type === "image" ? [imagePart(block, data)] : [];
  });
  const [only] = content;
  const isPlain = parts.length === 1 && content.length === 1 && only?.type === "text";
  const said = parts.length > 0 ? [{ role: "user", content: isPlain ? only.text.toWellFormed() : parts }] : [];
  return [...said, ...content.filter(isResult).map((result) => toolMessage(result, data, held))];
}

function toolMessage({ toolCallId, content }: ToolResultBlock, data: AdapterRequest["imageData"], held: object[]): object {
  for (const part of content)
    if (part.type === "image") held.push(textPart(`Image ${part.attachmentId}, from the tool result above.`), imagePart(part, data));
  return { role: "tool", tool_call_id: callId(toolCallId), content: textsOf(content).join("\n").toWellFormed() || "(no output)" };
}

function thinkingName(message: Message, provider: string): ThinkingName {
  if (message.source.kind !== "model" || message.source.replayState === undefined) return "reasoning_content";
  const at = message.content.findIndex((block) => block.type === "reasoning");
  return replayedBlock("chat", provider, message, at)?.name === "reasoning" ? "reasoning" : "reasoning_content";
}

function assistantMessage({ content }: Message, thinking: ThinkingName): object[] {
  const calls = content.flatMap((block) =>
    block.type === "tool-call"
      ? [{ id: callId(block.id), type: "function", function: { name: safeWord(block.name), arguments: JSON.stringify(callInput(block)) } }]
      : [],
  );
  const textOf = (type: "text" | "reasoning") =>
    content.map((block) => (block.type === type && "text" in block ? block.text.toWellFormed() : "")).join("");
  const [text, reasoning] = [textOf("text"), textOf("reasoning")];
  if (text === "" && reasoning === "" && calls.length === 0) return [];
  return [
    {
      role: "assistant",
      content: text,
      ...(reasoning === "" ? {} : { [thinking]: reasoning }),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  ];
}

/** Some servers give ids in a form of their own and want them back in it, so only those that are too long for others change. */
const callId = (id: string): string => (id.length <= maxWordChars ? id : safeWord(id));

const textPart = (text: string) => ({ type: "text", text: text.toWellFormed() });

function imagePart(block: ImageBlock, data: AdapterRequest["imageData"]): object {
  const image = data?.get(block);
  if (!image) return textPart("[image omitted]");
  const url = `data:${image.mediaType};base64,${Buffer.from(image.bytes).toString("base64")}`;
  return { type: "image_url", image_url: { url } };
}

const isResult = (block: ContentBlock): block is ToolResultBlock => block.type === "tool-result";
const hasImage = (block: ContentBlock): boolean => block.type === "image" || (isResult(block) && block.content.some(hasImage));

/** Says the same in every request: what is sent of an image is decided anew for each. */
function isSettled(message: Message): boolean {
  return Object.isFrozen(message) && !message.content.some(hasImage);
}
