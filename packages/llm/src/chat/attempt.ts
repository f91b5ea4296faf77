import type { LlmFailure } from "@gantry/contracts";
import type { FinishReason, StreamChunk } from "../chunks.ts";
import { classifyInStream } from "../classify.ts";
import { failure, failureOfThrown } from "../failure.ts";
import { unexpectedFinish } from "../finish-word.ts";
import { refusedDocument } from "../wire/refused-answer.ts";
import { ChatDecoder } from "./decode.ts";
import { EventData } from "./event-data.ts";
import { type Post, postForText } from "./post.ts";

const endMark = "[DONE]";

/** Runs one attempt over the chat-completions stream and gives its chunks; whatever goes wrong becomes the finish (LLM-4). */
export async function* attemptChat(post: Post): AsyncGenerator<StreamChunk, void, undefined> {
  const events = new EventData();
  const decoder = new ChatDecoder((error) => classifyInStream(error, post.scrub));
  let isComplete = false;
  let broken: LlmFailure | null = null;
  try {
    for await (const text of postForText(post, () => isComplete)) {
      for (const data of events.push(text)) {
        // what comes behind the end mark is no part of the answer
        if (isComplete) break;
        if (data === endMark) isComplete = true;
        else for (const chunk of decoder.take(data)) yield chunk; // not yield*: that would wait for each once more
      }
      if (decoder.failure) break;
    }
    if (!decoder.failure) yield* decoder.end();
  } catch (error) {
    broken = isNoChunk(error) ? malformed : failureOfThrown(error);
    if (decoder.usage) yield { type: "usage", usage: decoder.usage };
  }
  const { replayState } = decoder;
  const { words } = events;
  const refused = words === null ? null : refusedDocument(words, post.scrub);
  const reason = finishReason(decoder, { broken: broken ?? refused, isComplete });
  yield { type: "finish", reason, ...(replayState === undefined ? {} : { replayState }) };
}

type End = { readonly broken: LlmFailure | null; readonly isComplete: boolean };

function finishReason(decoder: ChatDecoder, { broken, isComplete }: End): FinishReason {
  const found = broken ?? decoder.failure ?? (isComplete ? null : closed);
  if (found) return { kind: "error", failure: found };
  const reason = finishOf(decoder.finishWord);
  // some servers say “stop” after a tool call
  return reason.kind === "stop" && decoder.sawCall ? { kind: "tool-calls" } : reason;
}

function finishOf(word: string | undefined): FinishReason {
  if (!word || word === "stop") return { kind: "stop" };
  if (word === "tool_calls" || word === "function_call") return { kind: "tool-calls" };
  if (word === "length") return { kind: "max-tokens" };
  return unexpectedFinish(word);
}

const isNoChunk = (error: unknown): boolean => error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError;

const malformed = failure(
  "MALFORMED_RESPONSE",
  "The model provider sent something that is no valid answer. Check the base URL, or try again.",
);
const closed = failure("STREAM_CLOSED", "The model provider ended the answer before it was complete. Try again.");
