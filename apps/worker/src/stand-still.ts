import type { CommandId } from "@gantry/contracts";
import { appendEvents, putDownLease, readOnly } from "@gantry/db";
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
 * Gives a session back that can be read and not run, and says why (G-19). What people wrote stays queued and is taken up after a switch; until
 * then it wakes nobody.
 */
export async function standStill({ log }: Pick<WorkerDeps, "log">, standing: Standing): Promise<"released" | "again"> {
  const { ref, lease, header, problem, commandIds } = standing;
  const { orgId, sessionId } = ref;
  if (header.status !== readOnly || commandIds.length > 0) {
    log.warn({ ...ref, problem }, "the session is read-only until another preset is selected");
    await appendEvents(orgId, sessionId, { ...lease, events: [], consume: commandIds, patch: { status: readOnly, problem } });
  }
  return (await putDownLease(orgId, sessionId, lease.epoch)) ? "released" : "again";
}
