import type { EventDraft, LlmFailure } from "@gantry/contracts";
import type { Scoped } from "@gantry/kernel";
import type { StreamChunk } from "./chunks.ts";
import type { LlmRequest } from "./request.ts";

/** What the loop hands out when a model request of a step failed (specs §2.8). */
export type RequestErrorEvent = {
  /** The agent's scope key; counters of a policy belong to it. */
  readonly agent: object;
  readonly turn: number;
  readonly step: number;
  /** Slug of the provider that failed. */
  readonly provider: string;
  readonly failure: LlmFailure;
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal;
  /** Appends to the session log; when it resolves the entry is on its way in order, before whatever follows. */
  append(draft: EventDraft): unknown;
};

/**
 * `retry`: send the request again now. `fail`: the turn ends with the failure. `aborted`: the turn was cancelled while waiting.
 * The innermost default is `fail`.
 */
export type RequestErrorDecision = { readonly kind: "retry" } | { readonly kind: "fail" } | { readonly kind: "aborted" };

declare module "@gantry/kernel" {
  interface Events {
    /** waterfall: one provider attempt; listeners may wrap, meter, record or replace the stream (LLM-12) */
    "llm/stream"(request: LlmRequest, next: () => AsyncIterable<StreamChunk>): AsyncIterable<StreamChunk>;
    /** waterfall: what to do about a failed request; retry policies wait inside their listener */
    "agent/request-error"(
      this: Scoped<object>,
      event: RequestErrorEvent,
      next: () => Promise<RequestErrorDecision>,
    ): Promise<RequestErrorDecision>;
  }
}
