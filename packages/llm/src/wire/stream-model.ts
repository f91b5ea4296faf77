import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Json, LlmFailure } from "@gantry/contracts";
import type { FinishReason, StreamChunk } from "../chunks.ts";
import { classifyInStream } from "../classify.ts";
import { failure, failureOfThrown } from "../failure.ts";
import { type DecodeOptions, PartDecoder, usageOf } from "./decode.ts";
import { refusedDocument } from "./refused-answer.ts";
import type { Tap } from "./tap.ts";

export type StreamModelOptions = DecodeOptions & {
  /** What the provider's own finish word means; undefined when it gave none. */
  finishOf(raw: string | undefined): FinishReason;
  readonly scrub: (text: string) => string;
  replayState?(blocks: Json[] | undefined): Json | undefined;
  /** Whether an event that the wire layer does not understand is of a kind that came after it: nothing that is read here. */
  isForeign?(event: unknown): boolean;
};

/** Runs one attempt through the wire layer and gives its chunks; whatever goes wrong becomes the finish (LLM-4). */
export async function* streamModel(
  model: LanguageModelV4,
  call: LanguageModelV4CallOptions,
  tap: Tap,
  options: StreamModelOptions,
): AsyncGenerator<StreamChunk, void, undefined> {
  const decoder = new PartDecoder(options);
  let finish: Extract<LanguageModelV4StreamPart, { type: "finish" }> | undefined;
  let broken: LlmFailure | undefined;
  try {
    const { stream } = await model.doStream(call);
    for await (const part of stream) {
      if (part.type === "error") {
        if (!isMissingFinish(part.error) && !isForeign(part.error, options)) broken = failureOfPart(part.error, options.scrub);
      } else if (part.type === "finish") finish = part;
      else yield* decoder.decode(part);
      if (broken) break;
    }
  } catch (error) {
    broken = failureOfCall(error, options.scrub);
  } finally {
    tap.close();
  }
  const usage = finish && usageOf(finish.usage);
  if (usage) yield { type: "usage", usage };
  const reason = finishReason(tap, options, decoder, finish?.finishReason.raw, broken);
  const replayState = options.replayState?.(decoder.replayBlocks());
  yield { type: "finish", reason, ...(replayState === undefined ? {} : { replayState }) };
}

function finishReason(
  tap: Tap,
  options: StreamModelOptions,
  decoder: PartDecoder,
  raw: string | undefined,
  broken: LlmFailure | undefined,
): FinishReason {
  const { cut, scan } = tap.facts();
  if (cut !== undefined) return { kind: "error", failure: failureOfThrown(cut) };
  if (scan.words !== null) return { kind: "error", failure: refusedDocument(scan.words, options.scrub) };
  if (broken) return { kind: "error", failure: broken };
  // without its end mark the answer counts as cut
  if (!scan.terminated) return { kind: "error", failure: closed };
  const reason = options.finishOf(raw);
  // some servers say “stop” after a tool call
  return reason.kind === "stop" && decoder.sawToolCall ? { kind: "tool-calls" } : reason;
}

const malformed = failure(
  "MALFORMED_RESPONSE",
  "The model provider sent something that is no valid answer. Check the base URL, or try again.",
);
const closed = failure("STREAM_CLOSED", "The model provider ended the answer before it was complete. Try again.");

/** An error part of the stream: the provider's own object, or an error of the wire layer. */
function failureOfPart(error: unknown, scrub: (text: string) => string): LlmFailure {
  return error instanceof Error ? failureOfCall(error, scrub) : classifyInStream(error, scrub);
}

/** The wire layer's errors carry request and answer in their texts: only their kind and the provider's message are used. */
function failureOfCall(error: unknown, scrub: (text: string) => string): LlmFailure {
  if (isParseProblem(error)) return malformed;
  const call = error as { statusCode?: unknown; responseBody?: unknown } | null;
  if (errorName(error) === "AI_APICallError" && typeof call?.statusCode === "number" && typeof call.responseBody === "string") {
    return classifyInStream(parsed(call.responseBody) ?? error, scrub);
  }
  return failureOfThrown(error);
}

function isParseProblem(error: unknown): boolean {
  const parse = /^AI_(JSONParseError|TypeValidationError|InvalidResponseDataError|EmptyResponseBodyError)$/;
  // the Anthropic wire layer says so when the very first event is unreadable
  return parse.test(errorName(error)) || (error instanceof Error && error.message === "Expected a normalized Anthropic stream error");
}

function isForeign(error: unknown, options: StreamModelOptions): boolean {
  return errorName(error) === "AI_TypeValidationError" && (options.isForeign?.((error as { value?: unknown }).value) ?? false);
}

function isMissingFinish(error: unknown): boolean {
  return errorName(error) === "AI_InvalidResponseDataError" && /without a finish reason/.test((error as Error).message);
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : "";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
