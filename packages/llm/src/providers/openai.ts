import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Json, Message } from "@gantry/contracts";
import type { LlmAdapter } from "../adapter.ts";
import type { FinishReason, StreamChunk } from "../chunks.ts";
import type { Credentials } from "../credentials.ts";
import { unexpectedFinish } from "../finish-word.ts";
import type { ProviderConfig } from "../provider-config.ts";
import { replayedBlock } from "../replay-state.ts";
import type { AdapterRequest } from "../request.ts";
import { toPrompt, toTools } from "../wire/prompt.ts";
import { safeWord } from "../wire/safe-word.ts";
import { streamModel } from "../wire/stream-model.ts";
import { createTap } from "../wire/tap.ts";
import { keyedAdapter, type Outgoing } from "./keyed-adapter.ts";

const efforts = ["minimal", "low", "medium", "high"] as const;
/** The last event of a stream, by its name or, from servers that send none, by its data. */
const terminator = /^(event: ?|data: ?\{"type": ?")response\.(completed|incomplete|failed)\b/;

/**
 * Serves the OpenAI responses API. Nothing is kept at the provider (`store: false`): thinking comes back sealed, travels in `replayState` and
 * goes back with the same blocks to the same adapter only (LLM-8).
 */
export const openAiAdapter = (config: ProviderConfig, credentials: Credentials): LlmAdapter =>
  keyedAdapter(config, credentials, { kind: "openai", efforts, attempt });

async function* attempt(
  config: ProviderConfig,
  request: AdapterRequest,
  { url, key, effort, scrub }: Outgoing,
): AsyncGenerator<StreamChunk, void, undefined> {
  const tap = createTap({ terminator, idleMs: config.idleTimeoutMs, signal: request.signal, scrub });
  const provider = createOpenAI({ baseURL: url.toString(), apiKey: key, headers: { "user-agent": "gantry" }, fetch: tap.fetch });
  const tools = toTools(request);
  const call: LanguageModelV4CallOptions = {
    prompt: toPrompt(request, { replay: (message, index) => replayOptions(config.slug, message, index), callId: safeWord }),
    abortSignal: request.signal,
    providerOptions: { openai: { store: false, ...thinking(effort) } },
    ...(request.maxTokens ? { maxOutputTokens: request.maxTokens } : {}),
    ...(tools ? { tools } : {}),
  };
  yield* streamModel(provider.responses(request.model), call, tap, {
    blockState,
    finishOf,
    scrub,
    replayState: (blocks) => (blocks ? { kind: "openai", blocks } : undefined),
  });
}

/** A model that is asked to think says so in a summary; without an effort the provider's own default holds. */
function thinking(effort: string | undefined): { [option: string]: Json } {
  if (effort === undefined || effort === "off") return {};
  return { forceReasoning: true, reasoningEffort: effort, reasoningSummary: "auto" };
}

/** The id and the sealed content of a thinking item. */
function blockState(part: LanguageModelV4StreamPart): Json | undefined {
  if (!part.type.startsWith("reasoning-")) return undefined;
  const data = "providerMetadata" in part ? part.providerMetadata?.openai : undefined;
  if (typeof data?.itemId !== "string" || typeof data.reasoningEncryptedContent !== "string") return undefined;
  return { itemId: data.itemId, reasoningEncryptedContent: data.reasoningEncryptedContent };
}

function replayOptions(slug: string, message: Message, index: number) {
  const entry = replayedBlock("openai", slug, message, index);
  return entry ? { openai: entry } : undefined;
}

function finishOf(raw: string | undefined): FinishReason {
  if (!raw) return { kind: "stop" };
  return raw === "max_output_tokens" ? { kind: "max-tokens" } : unexpectedFinish(raw);
}
