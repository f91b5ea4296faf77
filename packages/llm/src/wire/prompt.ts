import type { LanguageModelV4FunctionTool, LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { type ImageBlock, type Message, type ToolCallBlock, type ToolResultBlock, textsOf } from "@gantry/contracts";
import type { AdapterRequest, LlmRequest } from "../request.ts";
import { safeWord } from "./safe-word.ts";

type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];
type PartOptions = AssistantPart["providerOptions"];

export type PromptOptions = {
  /** What is sent back with block `index` of an assistant message: signatures and other opaque state (LLM-8). */
  replay?(message: Message, index: number): PartOptions;
  /** Call ids in the alphabet of the provider. */
  callId(id: string): string;
  /** the provider takes nothing between calls and their results, where others want the text of such a message first */
  readonly resultsFirst?: boolean;
};

type UserPart = Extract<LanguageModelV4Message, { role: "user" }>["content"][number];
type Writing = PromptOptions & {
  readonly prompt: LanguageModelV4Prompt;
  readonly data: AdapterRequest["imageData"];
  readonly names: Map<string, string>;
};

/**
 * Turns a request into the wire layer's prompt: system first; text before tool results where a message mixes both; empty results
 * say so; thinking goes back with its message (DSK-3). Text is made well-formed, since half a surrogate pair breaks some parsers, and text without a word
 * is left out, since a message with nothing else in it is refused.
 */
export function toPrompt(request: AdapterRequest, options: PromptOptions): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = request.system ? [{ role: "system", content: request.system.toWellFormed() }] : [];
  const writing: Writing = { ...options, prompt, data: request.imageData, names: new Map() };
  for (const message of request.messages) {
    if (message.role === "user") prompt.push(...userMessages(message, writing));
    else prompt.push(...assistantMessage(message, writing));
  }
  return prompt;
}

function userMessages(message: Message, writing: Writing): LanguageModelV4Message[] {
  const parts = message.content.flatMap((block): UserPart[] => {
    if (block.type === "text") return isBlank(block.text) ? [] : [textPart(block.text)];
    return block.type === "image" ? [filePart(block, writing.data)] : [];
  });
  const results = message.content.filter((block) => block.type === "tool-result");
  const out: LanguageModelV4Message[] = [];
  if (parts.length > 0) out.push({ role: "user", content: parts });
  if (results.length > 0) out.push({ role: "tool", content: results.map((result) => toolResult(result, writing)) });
  return writing.resultsFirst ? out.reverse() : out;
}

const isBlank = (text: string): boolean => text.trim() === "";
const textPart = (text: string) => ({ type: "text" as const, text: text.toWellFormed() });

function filePart(block: ImageBlock, data: AdapterRequest["imageData"]) {
  const image = data?.get(block);
  if (!image) return textPart("[image omitted]");
  return { type: "file" as const, mediaType: image.mediaType, data: { type: "data" as const, data: image.bytes } };
}

function toolResult(block: ToolResultBlock, writing: Writing) {
  const { callId, names, data } = writing;
  const images = block.content.filter((part) => part.type === "image");
  const text = textsOf(block.content).join("\n").toWellFormed();
  const shown = isBlank(text) ? "(no output)" : text;
  const call = { type: "tool-result" as const, toolCallId: callId(block.toolCallId), toolName: names.get(block.toolCallId) ?? "tool" };
  if (images.length > 0) {
    const said = block.content.filter((part) => part.type === "image" || !isBlank(part.text));
    const value = said.map((part) => (part.type === "image" ? filePart(part, data) : textPart(part.text)));
    return { ...call, output: { type: "content" as const, value } };
  }
  return { ...call, output: { type: block.isError ? ("error-text" as const) : ("text" as const), value: shown } };
}

function assistantMessage(message: Message, { names, callId, replay }: Writing): LanguageModelV4Message[] {
  const content: AssistantPart[] = [];
  for (const [index, block] of message.content.entries()) {
    const extra = replay?.(message, index);
    const providerOptions = extra ? { providerOptions: extra } : {};
    if (block.type === "text" && !isBlank(block.text)) content.push({ type: "text", text: block.text.toWellFormed(), ...providerOptions });
    if (block.type === "reasoning" && (block.text !== "" || extra)) {
      content.push({ type: "reasoning", text: block.text.toWellFormed(), ...providerOptions });
    }
    if (block.type === "tool-call") {
      const toolName = safeWord(block.name);
      names.set(block.id, toolName);
      content.push({ type: "tool-call", toolCallId: callId(block.id), toolName, input: callInput(block), ...providerOptions });
    }
  }
  return content.length > 0 ? [{ role: "assistant", content }] : [];
}

/** Deeper arguments no tool takes, and writing them into a request could overflow the stack: the session could never ask again. */
const maxArgumentDepth = 200;

/** Arguments that are no JSON object would be refused by most servers; they go back wrapped, so the model sees what it wrote. */
export function callInput(block: ToolCallBlock): unknown {
  if (block.arguments.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(block.arguments);
    if (typeof value === "object" && value !== null && !Array.isArray(value) && !isDeeper(value, maxArgumentDepth)) return value;
  } catch {
    // not JSON: wrapped below
  }
  return { invalid_arguments: block.arguments.toWellFormed() };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

export function toTools(request: Pick<LlmRequest, "tools">): LanguageModelV4FunctionTool[] | undefined {
  if (!request.tools?.length) return undefined;
  return request.tools.map((tool) => ({
    type: "function",
    name: tool.name,
    description: tool.description,
    inputSchema: tool.parameters as LanguageModelV4FunctionTool["inputSchema"],
  }));
}
