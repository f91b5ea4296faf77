import type { LlmAdapter } from "../adapter.ts";
import { endpoint, isPrivateHost, parseBaseUrl } from "../base-url.ts";
import { attemptChat } from "../chat/attempt.ts";
import { chatMessages, chatTools } from "../chat/messages.ts";
import type { StreamChunk } from "../chunks.ts";
import type { Credentials } from "../credentials.ts";
import { checkKey } from "../key.ts";
import { type KeyAhead, keyAhead } from "../key-ahead.ts";
import { lateStream } from "../late-stream.ts";
import { chosenEffort, describeModel, type ProviderConfig } from "../provider-config.ts";
import type { AdapterRequest } from "../request.ts";
import { scrubber } from "../secret-text.ts";

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
  /** what a request without an effort gets; absent: the server's own choice */
  readonly defaultEffort?: string;
  /** whether the server is the vendor's of the models it serves */
  readonly isVendor: boolean;
  thinking(effort: string | undefined): object;
  /** what the vendor wants to know of a request besides its body */
  headers?(request: AdapterRequest): Record<string, string>;
};

export function chatCompletionsAdapter(config: ProviderConfig, credentials: Credentials, dialect: ChatDialect): LlmAdapter {
  const keys = keyAhead(credentials, config);
  return {
    slug: config.slug,
    models: config.models,
    resolve: (model) => {
      const { maxTokens, ...info } = describeModel(config, model, dialect.efforts);
      const { defaultEffort } = dialect;
      // the limit is the vendor's: another server of the same model may refuse a request that asks for as much
      return { ...info, ...(dialect.isVendor && maxTokens ? { maxTokens } : {}), ...(defaultEffort ? { defaultEffort } : {}) };
    },
    prepare: keys.ask,
    stream: (request) => lateStream(() => attempt(config, keys, dialect, request)),
  };
}

async function attempt(
  config: ProviderConfig,
  keys: KeyAhead,
  dialect: ChatDialect,
  request: AdapterRequest,
): Promise<AsyncIterable<StreamChunk>> {
  const base = parseBaseUrl("openai-compatible", config.baseUrl, config);
  const effort = chosenEffort(request, dialect.efforts);
  const key = checkKey(await keys.take(), { required: !isPrivateHost(base.hostname) });
  const url = new URL(endpoint(base, "/chat/completions"));
  const { signal } = request;
  const body = bodyOf(request, dialect.thinking(effort));
  const headers = dialect.headers?.(request) ?? {};
  return attemptChat({ url, key, body, headers, idleMs: config.idleTimeoutMs, signal, scrub: scrubber(key) });
}

/** Messages and tools are bytes already: they go as they are, in parts that are sent together (performance.md, limit 4). */
function bodyOf(request: AdapterRequest, thinking: object): Buffer[] {
  const { model, maxTokens, tools } = request;
  const head = {
    model,
    ...(maxTokens ? { max_tokens: maxTokens } : {}),
    ...thinking,
    stream: true,
    stream_options: { include_usage: true },
  };
  const offered = tools?.length ? [Buffer.from(`],"tools":[`), chatTools(tools)] : [];
  return [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"messages":[`), chatMessages(request), ...offered, Buffer.from("]}")];
}

const isDeepSeek = (baseUrl: string) => URL.canParse(baseUrl) && /(^|\.)deepseek\.com$/.test(new URL(baseUrl).hostname);

const plainDialect: ChatDialect = {
  efforts: ["minimal", "low", "medium", "high"],
  isVendor: false,
  thinking: (effort) => (effort === undefined || effort === "off" ? {} : { reasoning_effort: effort }),
};

const defaultEffort = "high";
/** DeepSeek has a switch beside the effort, thinks hard unless told otherwise (DSK-2), and is told whose request it is (DSK-6). */
export const deepSeekDialect: ChatDialect = {
  efforts: ["low", "high", "max"],
  defaultEffort,
  isVendor: true,
  thinking: (effort) =>
    effort === "off" ? { thinking: { type: "disabled" } } : { thinking: { type: "enabled" }, reasoning_effort: effort ?? defaultEffort },
  headers: harnessHeaders,
};

/** Whose request it is and what for, in the vendor's words (DSK-6); ids say nothing outside this installation. */
function harnessHeaders({ sessionId, userId, purpose }: AdapterRequest): Record<string, string> {
  return {
    "x-deepseek-harness-session-id": sessionId,
    ...(userId === undefined ? {} : { "x-deepseek-harness-user-id": userId }),
    ...(purpose === "compaction" ? { "x-deepseek-harness-compact": "1" } : {}),
  };
}
