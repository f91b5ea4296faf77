import { isAppError, type LlmFailure } from "@gantry/contracts";

/** The codes of LLM-6 that this package makes. Providers may add `HTTP_<n>` and upper-cased finish reasons of their own. */
export type FailureCode =
  | "AUTH"
  | "QUOTA"
  | "RATE_LIMIT"
  | "CONTEXT_WINDOW_EXCEEDED"
  | "INVALID_REQUEST"
  | "SERVER"
  | "TRANSPORT"
  | "TIMEOUT"
  | "ABORTED"
  | "STREAM_CLOSED"
  | "MALFORMED_RESPONSE"
  | "EMPTY_RESPONSE"
  | "MISSING_CREDENTIAL"
  | "INVALID_CREDENTIAL"
  | "UNSUPPORTED_REASONING_EFFORT"
  | "NO_ADAPTER"
  | "UNKNOWN"
  | `HTTP_${number}`;

export type FailureExtras = Pick<LlmFailure, "status" | "providerRetryAfterMs" | "requestId">;

export function failure(code: FailureCode, message: string, extras: FailureExtras = {}): LlmFailure {
  return { code, message, ...extras };
}

/** Carries a classified failure through code that can only throw, such as `fetch`. */
export class LlmFailureError extends Error {
  readonly failure: LlmFailure;
  constructor(value: LlmFailure) {
    super(value.message);
    this.name = "LlmFailureError";
    this.failure = value;
  }
}

/** A failure for anything thrown (AG-070): a classified one as it is, network errors as TRANSPORT, the rest as UNKNOWN. */
export function failureOfThrown(error: unknown): LlmFailure {
  const chain = causes(error);
  for (const cause of chain) {
    if (cause instanceof LlmFailureError) return cause.failure;
    if (isAppError(cause, "SECRET_UNREADABLE")) return failure("INVALID_CREDENTIAL", cause.message);
    if (isAppError(cause, "CONFLICT")) return failure("NO_ADAPTER", cause.message);
    const code = errorCode(cause);
    if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT" || code === "UND_ERR_CONNECT_TIMEOUT") {
      return failure("TIMEOUT", "The model provider did not answer in time. Try again.");
    }
    const network = code === undefined ? undefined : networkReasons[code];
    if (network) return failure("TRANSPORT", `The model provider could not be reached: ${network}.`);
    // what answered speaks no HTTP: one of the two clients gives a code, the other a name
    if ((code && /^(UND_ERR_|HPE_)/.test(code)) || (cause instanceof Error && cause.name === "HTTPParserError")) return broken;
    if (code && /^(EPROTO$|ERR_SSL_)/.test(code)) {
      return failure("TRANSPORT", "The model provider could not be reached: it does not speak TLS at its address. Check the base URL.");
    }
    if (code && /^(ERR_TLS_|CERT_)|_CERT|^UNABLE_TO_VERIFY_/.test(code)) {
      return failure("TRANSPORT", "The model provider's certificate is not valid for its address. Check the base URL.");
    }
  }
  // only now: `fetch` wraps the reason into an error of this kind
  if (chain.some((cause) => cause instanceof TypeError && /fetch failed|terminated|network/i.test(cause.message))) return broken;
  return failure("UNKNOWN", "The model adapter failed unexpectedly. Try again; if it repeats, choose another model.");
}

const broken = failure("TRANSPORT", "The connection to the model provider broke. Try again.");

const networkReasons: { readonly [code: string]: string } = {
  ECONNREFUSED: "nothing listens at its address; check the base URL and that the server runs",
  ECONNRESET: "it closed the connection; try again",
  EPIPE: "it closed the connection; try again",
  ENOTFOUND: "its host name does not exist; check the base URL",
  EAI_AGAIN: "its host name could not be looked up; try again",
  ETIMEDOUT: "the connection timed out; try again",
  EHOSTUNREACH: "there is no route to its address; check the base URL",
  ENETUNREACH: "there is no route to its address; check the base URL",
};

function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
}

function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  let current = error;
  // a cause may point back at itself
  while (current !== undefined && current !== null && chain.length < 8 && !chain.includes(current)) {
    chain.push(current);
    current = (current as { cause?: unknown }).cause;
  }
  return chain;
}
