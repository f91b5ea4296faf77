import { isEvent, type SessionEvent, type ToolCallBlock } from "@gantry/contracts";
import type { RecoveryPlan } from "./recovery.ts";

/** What an org lets a session do after its turn was cut (REC-10): wait for a person, go on unless an effect is unknown, or go on. */
export type AutoContinue = "never" | "safe" | "always";

/** After so many interrupted turns in a row that finished no step, the session waits for a person, whatever the policy (AG-172). */
const maxFruitless = 3;

/** Whether a session goes on by itself after its turn was cut. */
export function mayContinue({ unknownEffects, fruitless }: RecoveryPlan, policy: AutoContinue): boolean {
  return fruitless < maxFruitless && (policy === "always" || (policy === "safe" && unknownEffects.length === 0));
}

/** What a person reads when it does not. */
export function reasonToWait({ unknownEffects, fruitless }: RecoveryPlan): string {
  if (unknownEffects.length > 0) {
    const names = [...new Set(unknownEffects.map((call: ToolCallBlock) => call.name))].join(", ");
    return `The worker stopped while ${names} was running, so its effect is unknown. Check the files, then tell the agent how to go on.`;
  }
  if (fruitless >= maxFruitless)
    return `The session was interrupted ${fruitless} times in a row without finishing a step. Send a message to try again.`;
  return "The worker stopped in the middle of the turn, and sessions here do not go on by themselves. Send a message to go on.";
}

/**
 * Whether messages that wait stay where they are until somebody wakes the session (C1, C11, REC-6): its last turn did not end by itself, and
 * none came after. A turn that completed lets the next message run (LOP-5).
 */
export function isParked(events: readonly SessionEvent[]): boolean {
  const end = events.findLastIndex((event) => isEvent(event, "turn/end"));
  const last = events[end];
  if (!last || !isEvent(last, "turn/end") || ["completed", "max-tokens"].includes(last.data.reason.kind)) return false;
  // what recovery put back stands between its closers and its seed mark
  const seed = events.findIndex((event, index) => index > end && isEvent(event, "session/end-seed"));
  const from = last.data.reason.kind === "interrupted" && seed > 0 ? seed : end;
  return !events.some((event, index) => index > from && isWakingInsert(event));
}

function isWakingInsert(event: SessionEvent): boolean {
  if (!isEvent(event, "agent/inbox/spliced")) return false;
  const { target, inserted, removedCount = 0 } = event.data;
  return target === "next-turn" && inserted.length > 0 && removedCount === 0;
}
