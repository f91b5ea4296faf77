import { type EventDraft, isEvent, type Message, type SessionEvent, type ToolCallBlock } from "@gantry/contracts";
import { type FateOf, promptClosers, stepClosers } from "./closers.ts";
import { completedStep, fruitlessTurns } from "./fruitless.ts";
import type { InboxTarget } from "./inbox.ts";
import { unresolvedCalls } from "./unresolved-calls.ts";

export type RecoveryPlan = {
  /** closers in order, to be appended in one batch (SES-32, SES-35); empty when no turn is open */
  closers: EventDraft[];
  /** messages that the dead turn had claimed but not yet logged, to go back to the front of their lists (C3, REC-7) */
  requeue: { target: InboxTarget; messages: Message[] }[];
  /** what policies want the model to read beside the results that its world gave, for the next step */
  notices: Message[];
  interrupted: boolean;
  /** the model was on its way to an answer, so it has to be told that the turn was cut */
  reachedStep: boolean;
  /** calls that get no true result, in model order */
  unresolved: { readonly call: ToolCallBlock; readonly isUnknown: boolean }[];
  /** calls whose effect is unknown and that may not be repeated: policy `safe` does not follow (REC-10) */
  unknownEffects: ToolCallBlock[];
  /** interrupted turns in a row that completed no step, this one included */
  fruitless: number;
};

const nothing: RecoveryPlan = {
  ...{ closers: [], requeue: [], notices: [], unresolved: [], unknownEffects: [] },
  ...{ interrupted: false, reachedStep: false, fruitless: 0 },
};

/**
 * The repair of a log whose writer died (SES-35, REC-5): pure, and a second run over its own outcome plans nothing.
 * Partial text and the ends of compactions are not made up (SES-36). `seedLength`: what a fork copied; no message waits in it (SES-24).
 */
export function planRecovery(events: readonly SessionEvent[], fateOf: FateOf, seedLength = 0): RecoveryPlan {
  const start = openTurnStart(events);
  if (start < 0) return nothing;
  const tail = events.slice(start);
  const { turn } = (tail[0] as Extract<SessionEvent, { type: "turn/start" }>).data;
  const stepStart = tail.findLast((event) => isEvent(event, "step/start"));
  const stepIsOpen =
    stepStart !== undefined && !tail.some((event) => isEvent(event, "step/end") && event.data.step === stepStart.data.step);
  const step = stepIsOpen ? stepStart.data.step : 0;
  const fates = (step > 0 ? unresolvedCalls(tail, step) : []).map((call) => ({ call, fate: fateOf(call) }));
  const closers = promptClosers(tail);
  if (step > 0) closers.push(...stepClosers(events, { turn, step, before: closers.length }, fateOf));
  const isWhole = completedStep([...tail, ...closers]);
  closers.push({ type: "turn/end", data: { turn, reason: { kind: "interrupted" } } });
  return {
    closers,
    requeue: claimedButUnlogged(events, start, seedLength),
    notices: fates.flatMap(({ fate }) => (fate.kind === "settled" ? fate.notices : [])),
    interrupted: true,
    reachedStep: stepStart !== undefined,
    unresolved: fates.flatMap(({ call, fate }) =>
      fate.kind === "settled" ? [] : [{ call: call.block, isUnknown: fate.kind === "unknown" }],
    ),
    unknownEffects: fates.flatMap(({ call, fate }) => (fate.kind === "unknown" && !fate.isRepeatable ? [call.block] : [])),
    fruitless: isWhole ? 0 : 1 + fruitlessTurns(events.slice(0, start)),
  };
}

function openTurnStart(events: readonly SessionEvent[]): number {
  const last = events.findLastIndex((event) => isEvent(event, "turn/start") || isEvent(event, "turn/end"));
  return last >= 0 && events[last]?.type === "turn/start" ? last : -1;
}

/**
 * Messages taken from the inbox with no step after the claim: the turn died between claim and log (REC-7). What a listener put back since is no claim any
 * more: it waits, or what became of it later holds (LOP-6).
 */
function claimedButUnlogged(events: readonly SessionEvent[], turnStart: number, seedLength: number): RecoveryPlan["requeue"] {
  const lastStep = events.findLastIndex((event) => isEvent(event, "step/start"));
  let claims: RecoveryPlan["requeue"] = [];
  const lists: Record<InboxTarget, Message[]> = { "next-turn": [], "next-step": [] };
  for (const [index, event] of events.entries()) {
    if (index < seedLength || !isEvent(event, "agent/inbox/spliced")) continue;
    const { target, start, removedCount = 0, inserted, outcome } = event.data;
    const removed = lists[target].splice(start, removedCount, ...inserted);
    if (claims.length > 0 && inserted.length > 0) claims = claims.map((claim) => withoutAll(claim, inserted));
    const isClaim = removed.length > 0 && outcome === undefined && inserted.length === 0;
    if (isClaim && index > turnStart && index > lastStep) claims.push({ target, messages: removed });
  }
  return claims;
}

function withoutAll({ target, messages }: RecoveryPlan["requeue"][number], others: readonly Message[]) {
  return { target, messages: messages.filter(({ id }) => !others.some((other) => other.id === id)) };
}
