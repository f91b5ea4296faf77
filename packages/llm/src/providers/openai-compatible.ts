import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LlmAdapter } from "../adapter.ts";
import { isPrivateHost, parseBaseUrl } from "../base-url.ts";
import type { FinishReason, StreamChunk } from "../chunks.ts";
import type { Credentials } from "../credentials.ts";
import { unexpectedFinish } from "../finish-word.ts";
import { checkKey } from "../key.ts";
import { chosenEffort, describeModel, type ProviderConfig } from "../provider-config.ts";
import type { LlmRequest } from "../request.ts";
import { scrubber } from "../secret-text.ts";
import { toPrompt, toTools } from "../wire/prompt.ts";
import { streamModel } from "../wire/stream-model.ts";
import { createTap } from "../wire/tap.ts";

/**
 * Serves any server that speaks the chat-completions stream (DSK-1 to DSK-5). Thinking (`reasoning_content`) is read and sent
 * back with its message. Address and key are read at each call, so an edit holds for the next request (DSK-8).
 */
export function openAiCompatibleAdapter(config: ProviderConfig, credentials: Credentials): LlmAdapter {
  const efforts = effortsOf(config);
  return {
    slug: config.slug,
    models: config.models,
    resolve: (model) => describeModel(config, model, efforts),
    stream: (request) => attempt(config, credentials, efforts, request),
  };
}

async function* attempt(
  config: ProviderConfig,
  credentials: Credentials,
  efforts: readonly string[],
  request: LlmRequest,
): AsyncGenerator<StreamChunk, void, undefined> {
  const url = parseBaseUrl("openai-compatible", config.baseUrl, config);
  const effort = chosenEffort(request, efforts);
  const key = checkKey(await credentials.resolve(config.providerId), { required: !isPrivateHost(url.hostname) });
  const scrub = scrubber(key);
  const tap = createTap({ terminator: /^data: ?\[DONE\]$/, idleMs: config.idleTimeoutMs, signal: request.signal, scrub });
  const provider = createOpenAICompatible({
    name: "gantry",
    baseURL: url.toString(),
    headers: { "user-agent": "gantry" },
    includeUsage: true,
    fetch: tap.fetch,
    transformRequestBody: (body) => ({ ...body, ...thinking(config, effort), messages: body.messages.map(emptyNotNull) }),
    ...(key === null ? {} : { apiKey: key }),
  });
  const tools = toTools(request);
  yield* streamModel(
    provider.chatModel(request.model),
    {
      prompt: toPrompt(request),
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

const isDeepSeek = (config: ProviderConfig) => /(^|\.)deepseek\.com$/.test(new URL(config.baseUrl).hostname);

function effortsOf(config: ProviderConfig): readonly string[] {
  return URL.canParse(config.baseUrl) && isDeepSeek(config) ? ["low", "high", "max"] : ["minimal", "low", "medium", "high"];
}

/** DeepSeek has a switch beside the effort (DSK-2); elsewhere “off” means that nothing is asked for. */
function thinking(config: ProviderConfig, effort: string | undefined): object {
  if (!isDeepSeek(config)) return effort === undefined || effort === "off" ? {} : { reasoning_effort: effort };
  if (effort === "off") return { thinking: { type: "disabled" } };
  return { thinking: { type: "enabled" }, reasoning_effort: effort ?? "high" };
}

function finishOf(raw: string | undefined): FinishReason {
  if (!raw || raw === "stop") return { kind: "stop" };
  if (raw === "tool_calls" || raw === "function_call") return { kind: "tool-calls" };
  if (raw === "length") return { kind: "max-tokens" };
  return unexpectedFinish(raw);
}
