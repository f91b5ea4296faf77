import { type EventDraft, isEvent, type SessionEvent } from "@gantry/contracts";
import { resultCallId } from "./invariants.ts";

type Entry = SessionEvent | EventDraft;
type Result = Extract<Entry, { type: "tool/result" }>;
const closingCodes: readonly (string | undefined)[] = ["TOOL_OUTCOME_UNKNOWN", "TOOL_NOT_STARTED"];

/** Whether a turn got a whole step: an answer of the model, and for each of its calls a result that is no closer. */
export function completedStep(turn: readonly Entry[]): boolean {
  const results = turn.filter((entry): entry is Result => entry.type === "tool/result" && !closingCodes.includes(entry.data.error?.code));
  return turn.some((entry) => {
    if (entry.type !== "assistant/message" || entry.data.interrupted) return false;
    const { step, message } = entry.data;
    return message.content.every(
      (block) => block.type !== "tool-call" || results.some((result) => result.data.step === step && resultCallId(result) === block.id),
    );
  });
}

/** How many turns at the end of the log were cut in a row without completing a step (REC-10). */
export function fruitlessTurns(events: readonly SessionEvent[]): number {
  let count = 0;
  let end = events.length;
  for (;;) {
    const close = events.findLastIndex((event, index) => index < end && isEvent(event, "turn/end"));
    const event = events[close];
    if (!event || !isEvent(event, "turn/end") || event.data.reason.kind !== "interrupted") return count;
    const start = events.findLastIndex((candidate, index) => index < close && isEvent(candidate, "turn/start"));
    if (start < 0 || completedStep(events.slice(start, close))) return count;
    count += 1;
    end = start;
  }
}
