import { type ContentBlock, type ImageBlock, type Message, type ToolResultBlock, type ToolSchema, textsOf } from "@gantry/contracts";
import { replayedBlock } from "../replay-state.ts";
import type { AdapterRequest } from "../request.ts";
import { callInput } from "../wire/prompt.ts";
import { maxWordChars, safeWord } from "../wire/safe-word.ts";

/** Frozen messages of logs, each written once in its life for each name of thinking: a request is the joining of what they became long ago. */
const written = { reasoning_content: new WeakMap<Message, string>(), reasoning: new WeakMap<Message, string>() };
type ThinkingName = keyof typeof written;
const writtenTools = new WeakMap<readonly ToolSchema[], string>();

/**
 * The members of `messages` of a chat-completions request, as JSON without the brackets: system first; text before tool results where a message
 * mixes both; empty results say so; thinking goes back with its message (DSK-3), under the server's own name for it (LLM-8). Content is never null: some servers refuse it. Text is made
 * well-formed, since half a surrogate pair breaks some parsers.
 */
export function chatMessages({ provider, system, messages, imageData }: AdapterRequest): string {
  const parts: string[] = system ? [JSON.stringify({ role: "system", content: system.toWellFormed() })] : [];
  // images of results wait for the end of their batch: results are text here
  let held: object[] = [];
  const release = (): void => {
    if (held.length > 0) parts.push(JSON.stringify({ role: "user", content: held }));
    held = [];
  };
  for (const message of messages) {
    if (held.length > 0 && !message.content.some(isResult)) release();
    const thinking = thinkingName(message, provider);
    const known = written[thinking].get(message) ?? writeMessage(message, { data: imageData, held, thinking });
    if (known !== "") parts.push(known);
  }
  release();
  return parts.join(",");
}

/** The same for `tools`. */
export function chatTools(tools: readonly ToolSchema[]): string {
  const known = writtenTools.get(tools);
  if (known !== undefined) return known;
  const text = tools
    .map(({ name, description, parameters }) => JSON.stringify({ type: "function", function: { name, description, parameters } }))
    .join(",");
  if (Object.isFrozen(tools)) writtenTools.set(tools, text);
  return text;
}

type Writing = { readonly data: AdapterRequest["imageData"]; readonly held: object[]; readonly thinking: ThinkingName };

function writeMessage(message: Message, { data, held, thinking }: Writing): string {
  const objects = message.role === "user" ? userMessages(message, data, held) : assistantMessage(message, thinking);
  const text = objects.map((object) => JSON.stringify(object)).join(",");
  // what is sent of an image is decided anew for each request
  if (Object.isFrozen(message) && !message.content.some(hasImage)) written[thinking].set(message, text);
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
