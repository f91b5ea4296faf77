import { type LlmFailure, Usage } from "@gantry/contracts";
import { abortRace } from "./abort-race.ts";
import { uniqueCallIds } from "./call-ids.ts";
import type { BlockType, FinishChunk, FinishReason, StreamChunk, StreamedBlock } from "./chunks.ts";
import { failure, failureOfThrown } from "./failure.ts";
import type { LlmRequest } from "./request.ts";
import { soundFinish } from "./sound-finish.ts";

/** The most text one response may have, in UTF-16 units: far above any real answer, far below what hurts a worker. */
export const maxResponseChars = 16_000_000;

/**
 * Holds any adapter, ours or a listener's, to the stream contract, so that the loop can trust what it reads:
 * the order rules of LLM-3, one usage directly before exactly one finish, unique tool call ids, EMPTY_RESPONSE (LLM-7),
 * a missing finish as STREAM_CLOSED, anything thrown as a failure (AG-070), counts and failures of the right shape (LLM-4, LLM-5), and an
 * abort that ends the stream at once even when the adapter ignores the signal. `throwsRise`: what the source throws is no provider's fault
 * and goes on, unless it comes with the abort.
 */
export async function* guardStream(
  source: () => AsyncIterable<StreamChunk>,
  request: LlmRequest,
  { throwsRise = false } = {},
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
      // not yield*: of a generator without waits that would wait for each chunk once more
      for (const chunk of state.admit(next.value)) yield chunk;
      if (state.isTooLarge) return yield* state.end(errorFinish(tooLarge));
    }
  } catch (error) {
    if (throwsRise && !request.signal.aborted) throw error;
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

/** What is known of an open block: its kind, and how much of it the deltas have said. */
type OpenBlock = { readonly type: BlockType; chars: number; isClosed: boolean };

class StreamState {
  private readonly blocks = new Map<number, OpenBlock>();
  private readonly callId: (index: number, proposed: string) => string;
  private usage: Usage | undefined;
  private chars = 0;

  constructor(request: LlmRequest) {
    this.callId = uniqueCallIds(request);
  }

  get isTooLarge(): boolean {
    return this.chars > maxResponseChars;
  }

  /** The chunk as it may pass, nothing when it is out of order. */
  *admit(chunk: Exclude<StreamChunk, FinishChunk>): Generator<StreamChunk, void, undefined> {
    if (chunk.type === "usage") {
      if (Usage.safeParse(chunk.usage).success) this.usage = chunk.usage;
      return;
    }
    const { index } = chunk;
    if (!Number.isSafeInteger(index) || index < 0) return;
    const type = blockTypeOf(chunk);
    const known = this.blocks.get(index);
    if (known && (known.isClosed || known.type !== type || chunk.type === "block-start")) return;
    const block: OpenBlock = known ?? { type, chars: 0, isClosed: false };
    this.blocks.set(index, block);
    switch (chunk.type) {
      case "block-start":
        yield chunk;
        return;
      case "tool-call-delta":
        this.count(block, chunk.argumentsDelta);
        yield { ...chunk, id: this.callId(index, chunk.id) };
        return;
      case "block-end":
        yield* this.close(index, block, chunk.block, known === undefined);
        return;
      default:
        this.count(block, chunk.text);
        yield chunk;
    }
  }

  /** Says what the deltas left unsaid before the end, so that a reader of deltas alone misses nothing. */
  private *close(index: number, open: OpenBlock, block: StreamedBlock, isNew: boolean): Generator<StreamChunk, void, undefined> {
    const whole = block.type === "tool-call" ? block.arguments : block.text;
    const rest = whole.slice(open.chars);
    this.count(open, rest);
    open.isClosed = true;
    if (block.type !== "tool-call") {
      if (rest !== "" || isNew || open.chars === 0) yield { type: `${block.type}-delta`, index, text: rest };
      yield { type: "block-end", index, block };
      return;
    }
    const id = this.callId(index, block.id);
    if (rest !== "" || isNew) yield { type: "tool-call-delta", index, id, name: block.name, argumentsDelta: rest };
    yield { type: "block-end", index, block: { ...block, id } };
  }

  private count(block: OpenBlock, text: string): void {
    block.chars += text.length;
    this.chars += text.length;
  }

  *end(reason: FinishReason, finish?: FinishChunk): Generator<StreamChunk, void, undefined> {
    if (this.usage) yield { type: "usage", usage: this.usage };
    if (reason.kind === "stop" && this.blocks.size === 0) yield { type: "finish", reason: errorFinish(empty) };
    else yield soundFinish({ ...finish, type: "finish", reason });
  }
}

function blockTypeOf(chunk: Exclude<StreamChunk, { type: "usage" | "finish" }>): BlockType {
  if (chunk.type === "block-start") return chunk.blockType;
  if (chunk.type === "block-end") return chunk.block.type;
  return chunk.type === "text-delta" ? "text" : chunk.type === "reasoning-delta" ? "reasoning" : "tool-call";
}
