import type { LanguageModelV4FunctionTool, LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { type Message, type ToolCallBlock, type ToolResultBlock, textsOf } from "@gantry/contracts";
import type { LlmRequest } from "../request.ts";

type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];
type PartOptions = AssistantPart["providerOptions"];

export type PromptOptions = {
  /** What is sent back with block `index` of an assistant message: signatures and other opaque state (LLM-8). */
  replay?(message: Message, index: number): PartOptions;
  /** Call ids in the alphabet of the provider. */
  callId?(id: string): string;
};

/**
 * Turns a request into the wire layer's prompt: system first; text before tool results where a message mixes both; empty results
 * say so; thinking goes back with its message (DSK-3). Text is made well-formed, since half a surrogate pair breaks some parsers.
 */
export function toPrompt(request: LlmRequest, options: PromptOptions = {}): LanguageModelV4Prompt {
  const callId = options.callId ?? ((id: string) => id);
  const names = new Map<string, string>();
  const prompt: LanguageModelV4Prompt = request.system ? [{ role: "system", content: request.system.toWellFormed() }] : [];
  for (const message of request.messages) {
    if (message.role === "user") prompt.push(...userMessages(message, names, callId));
    else prompt.push(...assistantMessage(message, names, callId, options));
  }
  return prompt;
}

function userMessages(message: Message, names: ReadonlyMap<string, string>, callId: (id: string) => string): LanguageModelV4Message[] {
  const texts = message.content.flatMap((block) => (block.type === "text" && block.text !== "" ? [block.text] : []));
  const results = message.content.filter((block) => block.type === "tool-result");
  const out: LanguageModelV4Message[] = [];
  if (texts.length > 0) out.push({ role: "user", content: texts.map((text) => ({ type: "text", text: text.toWellFormed() })) });
  if (results.length > 0) out.push({ role: "tool", content: results.map((result) => toolResult(result, names, callId)) });
  return out;
}

function toolResult(block: ToolResultBlock, names: ReadonlyMap<string, string>, callId: (id: string) => string) {
  const text = textsOf(block.content).join("\n").toWellFormed();
  return {
    type: "tool-result" as const,
    toolCallId: callId(block.toolCallId),
    toolName: names.get(block.toolCallId) ?? "tool",
    output: { type: block.isError ? ("error-text" as const) : ("text" as const), value: text === "" ? "(no output)" : text },
  };
}

function assistantMessage(
  message: Message,
  names: Map<string, string>,
  callId: (id: string) => string,
  options: PromptOptions,
): LanguageModelV4Message[] {
  const content: AssistantPart[] = [];
  for (const [index, block] of message.content.entries()) {
    const extra = options.replay?.(message, index);
    const providerOptions = extra ? { providerOptions: extra } : {};
    if (block.type === "text" && block.text !== "") content.push({ type: "text", text: block.text.toWellFormed(), ...providerOptions });
    if (block.type === "reasoning" && (block.text !== "" || extra)) {
      content.push({ type: "reasoning", text: block.text.toWellFormed(), ...providerOptions });
    }
    if (block.type === "tool-call") {
      names.set(block.id, block.name);
      content.push({ type: "tool-call", toolCallId: callId(block.id), toolName: block.name, input: callInput(block), ...providerOptions });
    }
  }
  return content.length > 0 ? [{ role: "assistant", content }] : [];
}

/** Deeper arguments no tool takes, and writing them into a request could overflow the stack: the session could never ask again. */
const maxArgumentDepth = 200;

/** Arguments that are no JSON object would be refused by most servers; they go back wrapped, so the model sees what it wrote. */
function callInput(block: ToolCallBlock): unknown {
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

export function toTools(request: LlmRequest): LanguageModelV4FunctionTool[] | undefined {
  if (!request.tools?.length) return undefined;
  return request.tools.map((tool) => ({
    type: "function",
    name: tool.name,
    description: tool.description,
    inputSchema: tool.parameters as LanguageModelV4FunctionTool["inputSchema"],
  }));
}
