import type { LlmFailure } from "@gantry/contracts";
import { endpoint, type ProviderKind, parseBaseUrl } from "./base-url.ts";
import { classifyHttp, classifyInStream } from "./classify.ts";
import { failure, failureOfThrown } from "./failure.ts";
import { checkKey } from "./key.ts";
import { scrubber } from "./secret-text.ts";

export type { ProviderKind } from "./base-url.ts";

export type CheckProvider = {
  readonly kind: ProviderKind;
  readonly baseUrl: string;
  /** Absent or null: the provider needs none. */
  readonly key?: string | null;
  readonly model: string;
  /** See `parseBaseUrl`: only a self-hosted installation says true. */
  readonly allowInsecure?: boolean;
  readonly signal?: AbortSignal;
};
/** `message` says what happened, why and what to do, and never contains the key. */
export type CheckResult = { readonly ok: true } | { readonly ok: false; readonly code: string; readonly message: string };

const limitMs = 15_000;
/** More than any first event needs. */
const maxBytes = 262_144;

/**
 * One tiny live call, made before a provider is saved: asks for a stream and stops at its first event, so it proves address, key,
 * model and wire at the price of a few tokens. Takes 15 s at most and never throws. Loads nothing but `fetch`.
 */
export async function checkProvider(options: CheckProvider): Promise<CheckResult> {
  const limit = AbortSignal.timeout(limitMs);
  const signal = options.signal ? AbortSignal.any([limit, options.signal]) : limit;
  const scrub = scrubber(options.key ?? null);
  try {
    const problem = await firstEventProblem(options, scrub, signal);
    return problem ? { ok: false, code: problem.code, message: problem.message } : { ok: true };
  } catch (error) {
    const problem = limit.aborted ? silent : options.signal?.aborted ? cancelled : failureOfThrown(error);
    return { ok: false, code: problem.code, message: problem.message };
  }
}

const silent = failure("TIMEOUT", "The model provider did not answer within 15 s. Check the base URL, or try again later.");
const cancelled = failure("ABORTED", "The check was cancelled.");
const noStream = failure(
  "MALFORMED_RESPONSE",
  "Something answered at the base URL, but it is no model API of this kind. Check the base URL and the kind of provider.",
);

async function firstEventProblem(options: CheckProvider, scrub: (text: string) => string, signal: AbortSignal): Promise<LlmFailure | null> {
  const url = parseBaseUrl(options.kind, options.baseUrl, { allowInsecure: options.allowInsecure ?? false });
  const key = checkKey(options.key ?? null, { required: options.kind !== "openai-compatible" });
  const { path, headers, body } = wires[options.kind](key, options.model);
  const response = await fetch(endpoint(url, path), {
    method: "POST",
    // a redirect could carry the key to another host
    redirect: "manual",
    headers: { "content-type": "application/json", "user-agent": "gantry", ...headers },
    body: JSON.stringify(body),
    signal,
  });
  const text = await readUntil(response, (soFar) => response.ok && firstData(soFar) !== null);
  if (!response.ok) return classifyHttp(response.status, response.headers, text, scrub);
  const data = firstData(text);
  if (data === null) return /"error"/.test(text) ? classifyInStream(parsed(text), scrub) : noStream;
  return problemOf(options.kind, parsed(data), scrub);
}

function problemOf(kind: ProviderKind, event: unknown, scrub: (text: string) => string): LlmFailure | null {
  if (typeof event !== "object" || event === null) return noStream;
  if ("error" in event && event.error) return classifyInStream(event, scrub);
  const isRight = kind === "anthropic" || kind === "openai" ? "type" in event : "choices" in event;
  return isRight ? null : noStream;
}

type WireRequest = { path: string; headers: Record<string, string>; body: object };
const noHeaders: Readonly<Record<string, string>> = Object.freeze({});
const messages = [{ role: "user", content: "Answer with the word OK." }];

const bearer = (key: string | null) => (key === null ? noHeaders : { authorization: `Bearer ${key}` });
// no token limit: the name of that field differs between models, and the stream is dropped after its first event
const chat = (key: string | null, model: string): WireRequest => ({
  path: "/chat/completions",
  headers: bearer(key),
  body: { model, messages, stream: true },
});

const wires: { readonly [K in ProviderKind]: (key: string | null, model: string) => WireRequest } = {
  "openai-compatible": chat,
  deepseek: chat,
  openai: (key, model) => ({ path: "/responses", headers: bearer(key), body: { model, input: messages, stream: true, store: false } }),
  anthropic: (key, model) => ({
    path: "/messages",
    headers: { "anthropic-version": "2023-06-01", ...(key === null ? noHeaders : { "x-api-key": key }) },
    body: { model, messages, stream: true, max_tokens: 16 },
  }),
};

/** The data of the first complete event, or null. */
function firstData(text: string): string | null {
  return /^data: ?(.+?)\r?\n/m.exec(text)?.[1] ?? null;
}

/** Reads until `isEnough`, the end, or the size limit; then hangs up. */
async function readUntil(response: Response, isEnough: (text: string) => boolean): Promise<string> {
  if (!response.body) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (text.length < maxBytes && !isEnough(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel().catch(() => undefined);
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
