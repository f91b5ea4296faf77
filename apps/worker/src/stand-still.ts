import type { CommandId } from "@gantry/contracts";
import { appendEvents, handOverLease, putDownLease, readOnly, readSessionStart } from "@gantry/db";
import type { SessionRef, WorkerDeps } from "./compose.ts";
import type { SessionHeader } from "./load-session.ts";

type Standing = {
  readonly ref: SessionRef;
  readonly lease: { readonly epoch: number; readonly nextSeq: number };
  readonly header: SessionHeader;
  readonly problem: string;
  /** requests that were tried and did not help */
  readonly commandIds: readonly CommandId[];
};

/**
 * Gives a session back that can be read and not run, and says why (G-19). What people wrote stays queued and is taken up after a switch, or once
 * the org's composition has changed and lets the session run; until then it wakes nobody.
 */
export async function standStill({ log }: Pick<WorkerDeps, "log">, standing: Standing): Promise<"released" | "again"> {
  const { ref, lease, header, problem, commandIds } = standing;
  const { orgId, sessionId } = ref;
  if (header.status !== readOnly || header.problem !== problem || commandIds.length > 0) {
    log.warn({ ...ref, problem }, "the session is read-only until another preset is selected");
    await appendEvents(orgId, sessionId, { ...lease, events: [], consume: commandIds, patch: { status: readOnly, problem } });
  }
  if (!(await hasMoved(standing)) && (await putDownLease(orgId, sessionId, lease.epoch))) return "released";
  await handOverLease(orgId, sessionId, lease.epoch); // to this holder's next look
  return "again";
}

/** Whether the org's layers changed since they were read; the mark for the sweep is gone with the lease that was taken in between. */
async function hasMoved({ ref, header }: Standing): Promise<boolean> {
  const now = await readSessionStart(ref.orgId, ref.sessionId);
  const text = ({ layers, plan }: typeof now | SessionHeader) => JSON.stringify([layers, plan]);
  return text(now) !== text(header);
}
