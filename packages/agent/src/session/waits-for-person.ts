import type { Evidence } from "./call-fates.ts";
import type { SessionLog } from "./log.ts";
import { askedBy } from "./prompts.ts";
import { lastTurn, unresolvedCalls } from "./unresolved-calls.ts";

/**
 * Whether the open step of a loaded log is one that was laid down for a person's answer, and not one that a worker died in: the only call that
 * was started and has no result has asked, and its body has not begun since. A body that asks by itself begins again with the answer.
 */
export async function waitsForPerson(log: SessionLog, dispatched: Evidence["dispatched"]): Promise<boolean> {
  if (log.step === 0) return false;
  const started = unresolvedCalls(lastTurn(log.events), log.step).filter(({ callSeq }) => callSeq !== null);
  const [call] = started;
  if (started.length !== 1 || !call || call.callSeq === null) return false;
  if (askedBy(log, call.block.id, "question")) return true;
  const approval = askedBy(log, call.block.id, "approval");
  if (!approval) return false;
  return approval.answer === null || !(await dispatched(call.callSeq)).includes(call.callSeq);
}
