import type { LlmFailure } from "@gantry/contracts";
import { classifyHttp, classifyInStream } from "../classify.ts";
import { failure } from "../failure.ts";

type Answer = { readonly status: number; readonly isOk: boolean; readonly headers: Headers };

/** What an answer that is no event stream means. */
export function refusedAnswer({ status, isOk, headers }: Answer, body: string, scrub: (text: string) => string): LlmFailure {
  return isOk ? refusedDocument(body, scrub, status) : classifyHttp(status || 302, headers, body, scrub);
}

/** The same for an answer without a fault but for its content, whatever type it was given. */
export function refusedDocument(body: string, scrub: (text: string) => string, status = 200): LlmFailure {
  const said = errorIn(body);
  if (said !== undefined) return classifyInStream(said, scrub);
  return failure(
    "MALFORMED_RESPONSE",
    "The base URL answered with a page or document, not with a model's stream. Check that it is an API address.",
    { status },
  );
}

/** Some servers say with status 200 that something is wrong: then the words are all there is. */
function errorIn(body: string): unknown {
  try {
    return (JSON.parse(body) as { error?: unknown } | null)?.error ?? undefined;
  } catch {
    return undefined; // a page, or a document that was cut
  }
}

export function idleFailure(idleMs: number): LlmFailure {
  return failure("TIMEOUT", `The model provider was silent for ${Math.max(1, Math.round(idleMs / 1_000))} s. Try again.`);
}
