import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Json, Message } from "@gantry/contracts";
import type { LlmAdapter } from "../adapter.ts";
import type { FinishReason, StreamChunk } from "../chunks.ts";
import type { Credentials } from "../credentials.ts";
import { failure } from "../failure.ts";
import { unexpectedFinish } from "../finish-word.ts";
import type { ProviderConfig } from "../provider-config.ts";
import { replayedBlock } from "../replay-state.ts";
import type { AdapterRequest } from "../request.ts";
import { toPrompt, toTools } from "../wire/prompt.ts";
import { safeWord } from "../wire/safe-word.ts";
import { streamModel } from "../wire/stream-model.ts";
import { createTap } from "../wire/tap.ts";
import { keyedAdapter, type Outgoing } from "./keyed-adapter.ts";

const efforts = ["low", "medium", "high", "max"] as const;

/**
 * Serves the Anthropic messages API. Thinking blocks are signed by the provider: their signatures travel in `replayState` and go
 * back with the same blocks to the same adapter only (LLM-8).
 */
export const anthropicAdapter = (config: ProviderConfig, credentials: Credentials): LlmAdapter =>
  keyedAdapter(config, credentials, { kind: "anthropic", efforts, attempt });

async function* attempt(
  config: ProviderConfig,
  request: AdapterRequest,
  { url, key, effort, scrub }: Outgoing,
): AsyncGenerator<StreamChunk, void, undefined> {
  const tap = createTap({ terminator: /^event: ?message_stop$/, idleMs: config.idleTimeoutMs, signal: request.signal, scrub });
  const provider = createAnthropic({ baseURL: url.toString(), apiKey: key, headers: { "user-agent": "gantry" }, fetch: tap.fetch });
  const tools = toTools(request);
  const call: LanguageModelV4CallOptions = {
    prompt: cacheable(
      toPrompt(request, {
        replay: (message, index) => replayOptions(config.slug, message, index),
        callId: safeWord,
        resultsFirst: true,
      }),
    ),
    abortSignal: request.signal,
    ...(request.maxTokens ? { maxOutputTokens: request.maxTokens } : {}),
    ...(tools ? { tools } : {}),
    ...(effort && effort !== "off" ? { reasoning: effort as (typeof efforts)[number] } : {}),
  };
  yield* streamModel(provider(request.model), call, tap, {
    blockState,
    finishOf,
    scrub,
    replayState: (blocks) => (blocks ? { kind: "anthropic", blocks } : undefined),
    isForeign,
  });
}

const readEvents = /^(message_(start|delta|stop)|content_block_(start|delta|stop)|error|ping)$/;
const readParts = /^(text|thinking|redacted_thinking|tool_use|(text|thinking|signature|input_json)_delta)$/;

/** The vendor adds kinds of events, blocks and deltas as it goes; readers are to pass over those they do not know. */
function isForeign(event: unknown): boolean {
  const { type, content_block: block, delta } = (event ?? {}) as { type?: unknown; content_block?: Typed; delta?: Typed };
  if (typeof type !== "string") return false;
  const part = block?.type ?? delta?.type;
  return !readEvents.test(type) || (typeof part === "string" && !readParts.test(part));
}
type Typed = { readonly type?: unknown } | null;

/** The signature of a thinking block, or the sealed thinking the provider does not show. */
function blockState(part: LanguageModelV4StreamPart): Json | undefined {
  const data = "providerMetadata" in part ? part.providerMetadata?.anthropic : undefined;
  if (typeof data?.signature === "string") return { signature: data.signature };
  return typeof data?.redactedData === "string" ? { redactedData: data.redactedData } : undefined;
}

function replayOptions(slug: string, message: Message, index: number) {
  const entry = replayedBlock("anthropic", slug, message, index);
  return entry ? { anthropic: entry } : undefined;
}

/** Marks the two places up to which the provider may reuse its work: the system prompt and the newest message. */
function cacheable(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const mark = { anthropic: { cacheControl: { type: "ephemeral" } } };
  return prompt.map((message, index) =>
    message.role === "system" || index === prompt.length - 1 ? { ...message, providerOptions: mark } : message,
  );
}

function finishOf(raw: string | undefined): FinishReason {
  if (!raw || raw === "end_turn" || raw === "stop_sequence") return { kind: "stop" };
  if (raw === "tool_use") return { kind: "tool-calls" };
  if (raw === "max_tokens") return { kind: "max-tokens" };
  if (raw === "model_context_window_exceeded") {
    return { kind: "error", failure: failure("CONTEXT_WINDOW_EXCEEDED", "The conversation is longer than the model can read.") };
  }
  return unexpectedFinish(raw);
}
