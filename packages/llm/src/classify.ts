import type { LlmFailure } from "@gantry/contracts";
import { type FailureExtras, failure } from "./failure.ts";
import { retryAfterMs } from "./retry-after.ts";

/** What an error answer says in its body, as far as it can be read. */
export type ProviderError = { readonly message: string; readonly type: string };

/** What servers say when a conversation is too long; each way of putting it is some vendor's. */
const contextPatterns = new RegExp(
  [
    "context[ _-]?(length|window|limit|size)",
    "maximum (context|prompt|model) length",
    "maximum context",
    "prompt is too long",
    "input (is )?too long",
    "too many (input )?tokens",
    "reduce the length of the messages",
    "range of input length",
    "(input|prompt) token count.{0,40}exceeds?",
    "exceed(s|ed)? (the )?(model'?s? )?((max(imum)?|token)( input)? )(tokens?|length|limit)",
  ].join("|"),
  "i",
);
const quotaPatterns =
  /insufficient[ _-]?(quota|balance|credit|funds)|quota (exceeded|exhausted)|exceeded your current quota|billing|credit balance|payment required/i;

/**
 * Turns an HTTP error answer into a failure: by status first, then by what the message says (LLM-6, DSK-6, AG-076).
 * @param scrub removes secrets from the provider's words before they are quoted
 */
export function classifyHttp(
  status: number,
  headers: Headers,
  body: string,
  scrub: (text: string) => string,
  now = Date.now(),
): LlmFailure {
  const said = readProviderError(body);
  const retry = retryAfterMs(headers.get("retry-after"), now);
  const requestId = headers.get("x-request-id") ?? headers.get("request-id") ?? undefined;
  const extras: FailureExtras = {
    status,
    ...(retry === undefined ? {} : { providerRetryAfterMs: retry }),
    ...(requestId ? { requestId: scrub(requestId).slice(0, 100) } : {}),
  };
  return classify(status, said, extras, scrub);
}

/** The same for an error that came inside a stream or in a 200 answer: there the type and message are all there is. */
export function classifyInStream(error: unknown, scrub: (text: string) => string): LlmFailure {
  const said = providerErrorOf(error);
  const status = statusOfType(said.type) ?? statusOfType(said.message.slice(0, 60)) ?? numericStatus(error);
  return classify(status ?? 500, said, status === undefined ? {} : { status }, scrub);
}

function classify(status: number, said: ProviderError, extras: FailureExtras, scrub: (text: string) => string): LlmFailure {
  const both = `${said.type} ${said.message}`;
  const quote = said.message ? ` The provider said: “${scrub(said.message).slice(0, 300)}”` : "";
  if (status === 401 || status === 403) {
    // The provider's words are left out: some echo a part of the key.
    return failure("AUTH", "The model provider refused the key. Check the key and that it may use this model.", extras);
  }
  if (status === 402 || ((status === 429 || status === 400) && quotaPatterns.test(both))) {
    return failure("QUOTA", `The model provider's quota or credit is used up. Add credit or choose another provider.${quote}`, extras);
  }
  if ((status === 400 || status === 413 || status === 422 || status >= 500) && contextPatterns.test(both)) {
    return failure("CONTEXT_WINDOW_EXCEEDED", `The conversation is longer than the model can read.${quote}`, extras);
  }
  if (status === 429) {
    const wait = waitWords(extras.providerRetryAfterMs);
    return failure("RATE_LIMIT", `The model provider limits how often it may be asked. ${wait}${quote}`, extras);
  }
  if (status === 404) {
    return failure(
      "HTTP_404",
      `The model provider does not know this address or model. Check the base URL and the model name.${quote}`,
      extras,
    );
  }
  if (status === 413) return failure("INVALID_REQUEST", `The request is too large for the model provider.${quote}`, extras);
  if (status === 400 || status === 422) return failure("INVALID_REQUEST", `The model provider did not accept the request.${quote}`, extras);
  if (status === 408) return failure("TIMEOUT", `The model provider gave up waiting. Try again.${quote}`, extras);
  if (status >= 500) return failure("SERVER", `The model provider has a problem of its own. Try again later.${quote}`, extras);
  if (status >= 300 && status < 400) {
    return failure(
      `HTTP_${status}`,
      "The base URL sends the request elsewhere. Enter the final address; redirects are not followed.",
      extras,
    );
  }
  return failure(`HTTP_${status}`, `The model provider answered with status ${status}.${quote}`, extras);
}

/** How long a person had better wait, where the provider says so and it is worth saying. */
function waitWords(ms = 0): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 2 ? "Wait a little." : `It asks to wait ${minutes} minutes.`;
}

function readProviderError(body: string): ProviderError {
  try {
    return providerErrorOf(JSON.parse(body));
  } catch {
    // not JSON: a web page or plain text; only short plain text is worth quoting
    return { message: /[<{]/.test(body) ? "" : body.trim().slice(0, 300), type: "" };
  }
}

/** Finds message and type in the usual shapes: `{error: {message, type, code}}`, `{message, type}`, `{detail}`, a string. */
export function providerErrorOf(value: unknown): ProviderError {
  if (typeof value === "string") return { message: value, type: "" };
  if (Array.isArray(value)) return providerErrorOf(value[0]);
  if (typeof value !== "object" || value === null) return { message: "", type: "" };
  const fields = value as { [key: string]: unknown };
  if (fields.error) return providerErrorOf(fields.error);
  const message = [fields.message, fields.detail, fields.msg].find((part) => typeof part === "string");
  const type = [fields.type, fields.code, fields.status].filter((part) => typeof part === "string").join(" ");
  return { message: typeof message === "string" ? message : "", type };
}

function numericStatus(error: unknown): number | undefined {
  const fields = (error ?? {}) as { statusCode?: unknown; code?: unknown; status?: unknown };
  const found = [fields.statusCode, fields.status, fields.code].find(
    (part) => Number.isInteger(part) && Number(part) >= 400 && Number(part) < 600,
  );
  return typeof found === "number" ? found : undefined;
}

function statusOfType(type: string): number | undefined {
  if (/rate.?limit|too.?many.?requests/i.test(type)) return 429;
  if (/overload|server.?error|api_error|unavailable|internal/i.test(type)) return 503;
  if (/authentication|invalid.?api.?key|permission/i.test(type)) return 401;
  if (quotaPatterns.test(type)) return 402;
  if (contextPatterns.test(type) || /invalid.?request/i.test(type)) return 400;
  return undefined;
}
