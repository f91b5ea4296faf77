import { isEvent, type SessionEvent, type ToolCallBlock } from "@gantry/contracts";
import { resultCallId } from "./invariants.ts";

/** A call that the model made and that has no result; `callSeq` is where its `tool/call` stands, null when it was never announced. */
export type OpenCall = { readonly block: ToolCallBlock; readonly callSeq: number | null };

/** The events of the newest turn. */
export function lastTurn(events: readonly SessionEvent[]): readonly SessionEvent[] {
  return events.slice(events.findLastIndex((event) => isEvent(event, "turn/start")));
}

/** The calls of a step that have no result, in model order. */
export function unresolvedCalls(turn: readonly SessionEvent[], step: number): OpenCall[] {
  const inStep = turn.filter((event) => "step" in event.data && event.data.step === step);
  const blocks = inStep.flatMap((event) =>
    isEvent(event, "assistant/message") ? event.data.message.content.filter((block) => block.type === "tool-call") : [],
  );
  const resolved = new Set(inStep.filter((event) => isEvent(event, "tool/result")).map((event) => resultCallId(event)));
  return blocks
    .filter((block) => !resolved.has(block.id))
    .map((block) => ({
      block,
      callSeq: inStep.find((event) => isEvent(event, "tool/call") && event.data.callId === block.id)?.seq ?? null,
    }));
}
