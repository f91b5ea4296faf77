import { type EventDraft, isEvent, type Message, type SessionEvent, type ToolCallBlock } from "@gantry/contracts";
import type { InboxTarget } from "./inbox.ts";
import { resultCallId } from "./invariants.ts";

/**
 * What is known of a call that was recorded and has no result: it never reached its world, a repeat would change nothing more,
 * or neither (REC-16).
 */
export type CallRecovery = "not-started" | "repeatable" | "unsafe";

export type RecoveryPlan = {
  /** closers in order, to be appended in one batch (SES-32, SES-35); empty when no turn is open */
  closers: EventDraft[];
  /** messages that the dead turn had claimed but not yet logged, to go back to the front of their lists (C3, REC-7) */
  requeue: { target: InboxTarget; messages: Message[] }[];
  interrupted: boolean;
  /** calls whose effect is unknown and that may not be repeated: auto-continue must not follow (REC-10) */
  unknownEffects: ToolCallBlock[];
  /** interrupted turns in a row that completed no step, this one included */
  fruitless: number;
};

/**
 * The repair of a log whose writer died (SES-35, REC-5): pure, and a second run over its own outcome plans nothing.
 * Partial text, open approvals and the like are not fabricated (SES-36).
 */
export function planRecovery(events: readonly SessionEvent[], recoveryOf: (call: ToolCallBlock) => CallRecovery): RecoveryPlan {
  const start = openTurnStart(events);
  const nothing: RecoveryPlan = { closers: [], requeue: [], interrupted: false, unknownEffects: [], fruitless: 0 };
  if (start < 0) return nothing;
  const tail = events.slice(start);
  const { turn } = (tail[0] as Extract<SessionEvent, { type: "turn/start" }>).data;
  const stepStart = tail.findLast((event) => isEvent(event, "step/start"));
  const stepIsOpen =
    stepStart !== undefined && !tail.some((event) => isEvent(event, "step/end") && event.data.step === stepStart.data.step);
  const step = stepIsOpen ? stepStart.data.step : 0;
  const open = step > 0 ? unresolvedCalls(tail, step) : [];
  const closers: EventDraft[] = step > 0 ? stepClosers(events, { turn, step }, recoveryOf) : [];
  closers.push({ type: "turn/end", data: { turn, reason: { kind: "interrupted" } } });
  return {
    closers,
    requeue: claimedButUnlogged(events, start),
    interrupted: true,
    unknownEffects: open.filter((call) => call.callSeq !== null && recoveryOf(call.block) === "unsafe").map((call) => call.block),
    fruitless: completedStep(tail) ? 0 : 1 + fruitlessBefore(events.slice(0, start)),
  };
}

/** Results for the calls of an open step that have none (SES-14, SES-35), then its `step/end`. */
export function stepClosers(
  events: readonly SessionEvent[],
  { turn, step }: { turn: number; step: number },
  recoveryOf: (call: ToolCallBlock) => CallRecovery = () => "unsafe",
): EventDraft[] {
  const tail = events.slice(events.findLastIndex((event) => isEvent(event, "turn/start")));
  const results = unresolvedCalls(tail, step).map((call, index) => {
    const started = call.callSeq !== null && recoveryOf(call.block) !== "not-started";
    return closeCall(call, { turn, step, seq: events.length + index, started });
  });
  return [...results, { type: "step/end", data: { turn, step } }];
}

type OpenCall = { block: ToolCallBlock; callSeq: number | null };

function openTurnStart(events: readonly SessionEvent[]): number {
  const last = events.findLastIndex((event) => isEvent(event, "turn/start") || isEvent(event, "turn/end"));
  return last >= 0 && events[last]?.type === "turn/start" ? last : -1;
}

/** The calls of a step that have no result, in model order. */
export function unresolvedCalls(tail: readonly SessionEvent[], step: number): OpenCall[] {
  const inStep = tail.filter((event) => "step" in event.data && event.data.step === step);
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

function closeCall({ block, callSeq }: OpenCall, at: { turn: number; step: number; seq: number; started: boolean }): EventDraft {
  const { started } = at;
  const text = started
    ? `Error: this ${block.name} call was recorded (event ${callSeq}) but the worker stopped before its result was. Whether it took effect is unknown. Repeat it only if it just reads or is safe to run twice; otherwise check the state first, or ask the user.`
    : `Error: this ${block.name} call never started because the worker stopped first. Run it again if it is still needed.`;
  return {
    type: "tool/result",
    surfaceOp: "append",
    ...(callSeq === null ? {} : { sourceEventSeqs: [callSeq] }),
    data: {
      turn: at.turn,
      step: at.step,
      message: {
        id: `interrupted-tool-result-${block.id}-${at.seq}`,
        role: "user",
        content: [{ type: "tool-result", toolCallId: block.id, content: [{ type: "text", text }], isError: true }],
        source: { kind: "tool", callId: block.id },
      },
      error: started
        ? { name: "ToolOutcomeUnknownError", code: "TOOL_OUTCOME_UNKNOWN" }
        : { name: "ToolNotStartedError", code: "TOOL_NOT_STARTED" },
    },
  };
}

/** Messages taken from the inbox with no step after the claim: the turn died between claim and log (REC-7). */
function claimedButUnlogged(events: readonly SessionEvent[], turnStart: number): RecoveryPlan["requeue"] {
  const lastStep = events.findLastIndex((event) => isEvent(event, "step/start"));
  const claims: RecoveryPlan["requeue"] = [];
  const lists: Record<InboxTarget, Message[]> = { "next-turn": [], "next-step": [] };
  for (const [index, event] of events.entries()) {
    if (!isEvent(event, "agent/inbox/spliced")) continue;
    const { target, start, removedCount = 0, inserted, outcome } = event.data;
    const removed = lists[target].splice(start, removedCount, ...inserted);
    const isClaim = removed.length > 0 && outcome === undefined && inserted.length === 0;
    if (isClaim && index > turnStart && index > lastStep) claims.push({ target, messages: removed });
  }
  return claims;
}

function completedStep(tail: readonly SessionEvent[]): boolean {
  return tail.some((event) => isEvent(event, "assistant/message") && stepIsWhole(tail, event.data.step, event.data.message.content));
}

function stepIsWhole(tail: readonly SessionEvent[], step: number, content: readonly { type: string; id?: string }[]): boolean {
  const results = tail.filter((event) => isEvent(event, "tool/result") && event.data.step === step);
  return content
    .filter((block) => block.type === "tool-call")
    .every((block) => results.some((event) => isEvent(event, "tool/result") && resultCallId(event) === block.id && !isCloser(event)));
}

function isCloser(event: Extract<SessionEvent, { type: "tool/result" }>): boolean {
  return event.data.error?.code === "TOOL_OUTCOME_UNKNOWN" || event.data.error?.code === "TOOL_NOT_STARTED";
}

function fruitlessBefore(events: readonly SessionEvent[]): number {
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
