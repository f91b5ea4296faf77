import { type EventDraft, isEvent, type Message, type SessionEvent } from "@gantry/contracts";
import { lastTurn, type OpenCall, unresolvedCalls } from "./unresolved-calls.ts";

/** What is known of a call without a result (REC-15). */
export type CallFate =
  /** its world knew: the true result, and the notices that came with it */
  | { readonly kind: "settled"; readonly result: EventDraft; readonly notices: readonly Message[] }
  | { readonly kind: "not-started" }
  /** it may have had its effect; `isRepeatable`: then a repeat would change nothing more (REC-16) */
  | { readonly kind: "unknown"; readonly isRepeatable: boolean };
export type FateOf = (call: OpenCall) => CallFate;

/** Without better evidence a call that was recorded may have begun. */
const byRecord: FateOf = ({ callSeq }) => (callSeq === null ? { kind: "not-started" } : { kind: "unknown", isRepeatable: false });

/** Results for the calls of an open step that have none (SES-14, SES-35), then its `step/end`. `before`: closers that stand in front of them. */
export function stepClosers(
  events: readonly SessionEvent[],
  { turn, step, before = 0 }: { turn: number; step: number; before?: number },
  fateOf: FateOf = byRecord,
): EventDraft[] {
  const results = unresolvedCalls(lastTurn(events), step).map((call, index) => {
    const fate = fateOf(call);
    return fate.kind === "settled" ? fate.result : errorResult(call, fate, { turn, step, seq: events.length + before + index });
  });
  return [...results, { type: "step/end", data: { turn, step } }];
}

/** Ends for what asked a person and was not answered: nobody waits for the answer any more (C7). */
export function promptClosers(turn: readonly SessionEvent[]): EventDraft[] {
  const answered = new Set(
    turn.flatMap((event) => (isEvent(event, "approval/decided") || isEvent(event, "question/answered") ? [event.data.id] : [])),
  );
  return turn.flatMap((event): EventDraft[] => {
    if (isEvent(event, "approval/asked") && !answered.has(event.data.id))
      return [{ type: "approval/decided", data: { id: event.data.id, outcome: "cancelled" } }];
    if (isEvent(event, "question/asked") && !answered.has(event.data.id))
      return [{ type: "question/answered", data: { id: event.data.id, outcome: "cancelled" } }];
    return [];
  });
}

/** A command whose worker died is over (C15); nobody knows how far it came. */
export function commandCloser(commandId: string): EventDraft {
  const text = "The worker stopped before this was done. Ask for it again if it is still needed.";
  return { type: "command/done", data: { commandId, kind: "error", text } };
}

type ErrorAt = { turn: number; step: number; seq: number };

function errorResult({ block, callSeq }: OpenCall, fate: Exclude<CallFate, { kind: "settled" }>, { turn, step, seq }: ErrorAt): EventDraft {
  const isUnknown = fate.kind === "unknown";
  const text = isUnknown
    ? `Error: this ${block.name} call was recorded (event ${callSeq}) but the worker stopped before its result was. Whether it took effect is unknown. Repeat it only if it just reads or is safe to run twice; otherwise check the state first, or ask the user.`
    : `Error: this ${block.name} call never started because the worker stopped first. Run it again if it is still needed.`;
  return {
    type: "tool/result",
    surfaceOp: "append",
    ...(callSeq === null ? {} : { sourceEventSeqs: [callSeq] }),
    data: {
      turn,
      step,
      message: {
        id: `interrupted-tool-result-${block.id}-${seq}`,
        role: "user",
        content: [{ type: "tool-result", toolCallId: block.id, content: [{ type: "text", text }], isError: true }],
        source: { kind: "tool", callId: block.id },
      },
      error: isUnknown
        ? { name: "ToolOutcomeUnknownError", code: "TOOL_OUTCOME_UNKNOWN" }
        : { name: "ToolNotStartedError", code: "TOOL_NOT_STARTED" },
    },
  };
}
