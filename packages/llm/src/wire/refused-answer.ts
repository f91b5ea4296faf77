import type { LlmFailure } from "@gantry/contracts";
import { classifyHttp } from "../classify.ts";
import { failure } from "../failure.ts";

type Answer = { readonly status: number; readonly isOk: boolean; readonly headers: Headers };

/** What an answer that is no event stream means. */
export function refusedAnswer({ status, isOk, headers }: Answer, body: string, scrub: (text: string) => string): LlmFailure {
  if (!isOk) return classifyHttp(status || 302, headers, body, scrub);
  if (/"error"/.test(body)) return classifyHttp(502, headers, body, scrub);
  return failure(
    "MALFORMED_RESPONSE",
    "The base URL answered with a page or document, not with a model's stream. Check that it is an API address.",
    { status },
  );
}

export function idleFailure(idleMs: number): LlmFailure {
  return failure("TIMEOUT", `The model provider was silent for ${Math.max(1, Math.round(idleMs / 1_000))} s. Try again.`);
}
