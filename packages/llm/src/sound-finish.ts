import { type Json, LlmFailure, toLosslessJson } from "@gantry/contracts";
import type { FinishChunk, FinishReason } from "./chunks.ts";
import { failure } from "./failure.ts";

/** A finish that the log takes, whoever made it: a failure has the shape of one (LLM-4), and replay state that is no JSON is not kept (LLM-8). */
export function soundFinish({ replayState, reason, ...finish }: FinishChunk): FinishChunk {
  const state = replayState === undefined ? undefined : jsonOrNothing(replayState);
  return { ...finish, reason: soundReason(reason), ...(state === undefined ? {} : { replayState: state }) };
}

function soundReason(reason: FinishReason): FinishReason {
  return "failure" in reason ? { ...reason, failure: soundFailure(reason.failure) } : reason;
}

function soundFailure(value: LlmFailure): LlmFailure {
  if (LlmFailure.safeParse(value).success) return value;
  const bare = LlmFailure.pick({ code: true, message: true }).safeParse(value);
  return bare.success ? bare.data : failure("UNKNOWN", "The model adapter failed without saying why. Try again.");
}

function jsonOrNothing(value: unknown): Json | undefined {
  try {
    return toLosslessJson(value);
  } catch {
    return undefined; // without it the provider gets the plain answer back
  }
}
