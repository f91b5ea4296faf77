import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LlmAdapter } from "../adapter.ts";
import { isPrivateHost, parseBaseUrl } from "../base-url.ts";
import type { FinishReason, StreamChunk } from "../chunks.ts";
import type { Credentials } from "../credentials.ts";
import { unexpectedFinish } from "../finish-word.ts";
import { checkKey } from "../key.ts";
import { chosenEffort, describeModel, type ProviderConfig } from "../provider-config.ts";
import type { AdapterRequest } from "../request.ts";
import { scrubber } from "../secret-text.ts";
import { toPrompt, toTools } from "../wire/prompt.ts";
import { streamModel } from "../wire/stream-model.ts";
import { createTap } from "../wire/tap.ts";

/**
 * Serves any server that speaks the chat-completions stream (DSK-1 to DSK-5). Thinking (`reasoning_content`) is read and sent
 * back with its message. Address and key are read at each call, so an edit holds for the next request (DSK-8).
 */
export function openAiCompatibleAdapter(config: ProviderConfig, credentials: Credentials): LlmAdapter {
  return chatCompletionsAdapter(config, credentials, isDeepSeek(config.baseUrl) ? deepSeekDialect : plainDialect);
}

/** How servers of one wire differ. `thinking`: the fields that ask for an effort. */
export type ChatDialect = {
  readonly efforts: readonly string[];
  /** whether the server is the vendor's of the models it serves */
  readonly isVendor: boolean;
  thinking(effort: string | undefined): object;
};

export function chatCompletionsAdapter(config: ProviderConfig, credentials: Credentials, dialect: ChatDialect): LlmAdapter {
  return {
    slug: config.slug,
    models: config.models,
    resolve: (model) => {
      const { maxTokens, ...info } = describeModel(config, model, dialect.efforts);
      // the limit is the vendor's: another server of the same model may refuse a request that asks for as much
      return { ...info, ...(dialect.isVendor && maxTokens ? { maxTokens } : {}) };
    },
    stream: (request) => attempt(config, credentials, dialect, request),
  };
}

async function* attempt(
  config: ProviderConfig,
  credentials: Credentials,
  dialect: ChatDialect,
  request: AdapterRequest,
): AsyncGenerator<StreamChunk, void, undefined> {
  const url = parseBaseUrl("openai-compatible", config.baseUrl, config);
  const effort = chosenEffort(request, dialect.efforts);
  const key = checkKey(await credentials.resolve(config.providerId), { required: !isPrivateHost(url.hostname) });
  const scrub = scrubber(key);
  const tap = createTap({ terminator: /^data: ?\[DONE\]$/, idleMs: config.idleTimeoutMs, signal: request.signal, scrub });
  const provider = createOpenAICompatible({
    name: "gantry",
    baseURL: url.toString(),
    headers: { "user-agent": "gantry" },
    includeUsage: true,
    fetch: tap.fetch,
    transformRequestBody: (body) => ({ ...body, ...dialect.thinking(effort), messages: body.messages.map(emptyNotNull) }),
    ...(key === null ? {} : { apiKey: key }),
  });
  const tools = toTools(request);
  yield* streamModel(
    provider.chatModel(request.model),
    {
      prompt: toPrompt(request, { toolImages: "behind" }),
      abortSignal: request.signal,
      ...(request.maxTokens ? { maxOutputTokens: request.maxTokens } : {}),
      ...(tools ? { tools } : {}),
    },
    tap,
    { mergeBlocks: true, finishOf, needsTerminator: true, scrub },
  );
}

/** Some servers refuse `content: null` beside tool calls (DSK-3). */
function emptyNotNull(message: { content?: unknown }): object {
  return message.content === null ? { ...message, content: "" } : message;
}

const isDeepSeek = (baseUrl: string) => URL.canParse(baseUrl) && /(^|\.)deepseek\.com$/.test(new URL(baseUrl).hostname);

const plainDialect: ChatDialect = {
  efforts: ["minimal", "low", "medium", "high"],
  isVendor: false,
  thinking: (effort) => (effort === undefined || effort === "off" ? {} : { reasoning_effort: effort }),
};

/** DeepSeek has a switch beside the effort, and thinks hard unless told otherwise (DSK-2). */
export const deepSeekDialect: ChatDialect = {
  efforts: ["low", "high", "max"],
  isVendor: true,
  thinking: (effort) =>
    effort === "off" ? { thinking: { type: "disabled" } } : { thinking: { type: "enabled" }, reasoning_effort: effort ?? "high" },
};

function finishOf(raw: string | undefined): FinishReason {
  if (!raw || raw === "stop") return { kind: "stop" };
  if (raw === "tool_calls" || raw === "function_call") return { kind: "tool-calls" };
  if (raw === "length") return { kind: "max-tokens" };
  return unexpectedFinish(raw);
}
