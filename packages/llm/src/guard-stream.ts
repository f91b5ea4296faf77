import type { LlmFailure, Usage } from "@gantry/contracts";
import { abortRace } from "./abort-race.ts";
import { uniqueCallIds } from "./call-ids.ts";
import type { BlockType, FinishChunk, FinishReason, StreamChunk } from "./chunks.ts";
import { failure, failureOfThrown } from "./failure.ts";
import type { LlmRequest } from "./request.ts";

/** The most text one response may have, in UTF-16 units: far above any real answer, far below what hurts a worker. */
export const maxResponseChars = 16_000_000;

/**
 * Holds any adapter, ours or a listener's, to the stream contract, so that the loop can trust what it reads:
 * the order rules of LLM-3, one usage directly before exactly one finish, unique tool call ids, EMPTY_RESPONSE (LLM-7),
 * a missing finish as STREAM_CLOSED, anything thrown as a failure (AG-070), and an abort that ends the stream at once
 * even when the adapter ignores the signal.
 */
export async function* guardStream(
  source: () => AsyncIterable<StreamChunk>,
  request: LlmRequest,
): AsyncGenerator<StreamChunk, void, undefined> {
  const state = new StreamState(request);
  let iterator: AsyncIterator<StreamChunk> | undefined;
  const race = abortRace(request.signal);
  try {
    if (request.signal.aborted) return yield* state.end({ kind: "aborted", failure: abortedFailure });
    iterator = source()[Symbol.asyncIterator]();
    for (;;) {
      const next = await race.run(iterator.next());
      if (next === "aborted") return yield* state.end({ kind: "aborted", failure: abortedFailure });
      if (next.done) return yield* state.end(errorFinish(streamClosed));
      if (next.value.type === "finish") return yield* state.end(next.value.reason, next.value);
      const chunk = state.admit(next.value);
      if (chunk === "too-large") return yield* state.end(errorFinish(tooLarge));
      if (chunk) yield chunk;
    }
  } catch (error) {
    yield* state.end(request.signal.aborted ? { kind: "aborted", failure: abortedFailure } : errorFinish(failureOfThrown(error)));
  } finally {
    race.stop();
    // The adapter may be stuck in a wait that ignores the signal: it is told to stop, but nobody waits for it.
    iterator?.return?.().catch(() => undefined);
  }
}

const abortedFailure = failure("ABORTED", "The request was cancelled.");
const streamClosed = failure("STREAM_CLOSED", "The model provider ended the answer before it was complete. Try again.");
const tooLarge = failure(
  "MALFORMED_RESPONSE",
  "The model's answer is larger than any useful answer and was cut off. Try again or choose another model.",
);
const empty = failure("EMPTY_RESPONSE", "The model answered with nothing. Try again.");
const errorFinish = (value: LlmFailure): FinishReason => ({ kind: "error", failure: value });

class StreamState {
  private readonly types = new Map<number, BlockType>();
  private readonly closed = new Set<number>();
  private readonly callId: (index: number, proposed: string) => string;
  private usage: Usage | undefined;
  private chars = 0;

  constructor(request: LlmRequest) {
    this.callId = uniqueCallIds(request.messages);
  }

  /** The chunk as it may pass, null when it is to be dropped. */
  admit(chunk: Exclude<StreamChunk, FinishChunk>): StreamChunk | null | "too-large" {
    if (chunk.type === "usage") {
      this.usage = chunk.usage;
      return null;
    }
    if (!Number.isSafeInteger(chunk.index) || chunk.index < 0 || this.closed.has(chunk.index)) return null;
    const type = blockTypeOf(chunk);
    const open = this.types.get(chunk.index);
    if (open !== undefined && (open !== type || chunk.type === "block-start")) return null;
    this.types.set(chunk.index, type);
    this.chars += sizeOf(chunk);
    if (this.chars > maxResponseChars) return "too-large";
    if (chunk.type === "tool-call-delta") return { ...chunk, id: this.callId(chunk.index, chunk.id) };
    if (chunk.type !== "block-end") return chunk;
    this.closed.add(chunk.index);
    const block = chunk.block;
    return block.type === "tool-call" ? { ...chunk, block: { ...block, id: this.callId(chunk.index, block.id) } } : chunk;
  }

  *end(reason: FinishReason, finish?: FinishChunk): Generator<StreamChunk, void, undefined> {
    if (this.usage) yield { type: "usage", usage: this.usage };
    if (reason.kind === "stop" && this.types.size === 0) yield { type: "finish", reason: errorFinish(empty) };
    else yield { ...finish, type: "finish", reason };
  }
}

function blockTypeOf(chunk: Exclude<StreamChunk, { type: "usage" | "finish" }>): BlockType {
  if (chunk.type === "block-start") return chunk.blockType;
  if (chunk.type === "block-end") return chunk.block.type;
  return chunk.type === "text-delta" ? "text" : chunk.type === "reasoning-delta" ? "reasoning" : "tool-call";
}

/** Block ends repeat what the deltas said; they count only for adapters without deltas, where they are the first word. */
function sizeOf(chunk: Exclude<StreamChunk, { type: "usage" | "finish" }>): number {
  if (chunk.type === "text-delta" || chunk.type === "reasoning-delta") return chunk.text.length;
  return chunk.type === "tool-call-delta" ? chunk.argumentsDelta.length : 0;
}
