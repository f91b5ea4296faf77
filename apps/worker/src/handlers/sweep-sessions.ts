import type { OrgId } from "@gantry/contracts";
import { listOrgIds, sessionsDue } from "@gantry/db";
import { wakeSession } from "@gantry/queue";
import type { WorkerDeps } from "../compose.ts";

/** Wakes what was committed and never queued, and what lost its holder (architecture §5). A repeat is harmless: the lease decides. */
export async function sweepSessions({ producer, log }: Pick<WorkerDeps, "producer" | "log">): Promise<number> {
  let woken = 0;
  for (const orgId of await listOrgIds()) woken += await sweepOrg({ producer }, orgId);
  if (woken > 0) log.info({ woken }, "sweep woke sessions");
  return woken;
}

/** Queues a ticket for each session of an org that needs a worker and has none. */
export async function sweepOrg({ producer }: Pick<WorkerDeps, "producer">, orgId: OrgId): Promise<number> {
  const due = await sessionsDue(orgId);
  for (const { sessionId, wake } of due) await producer.enqueue(wakeSession, { orgId, sessionId, wake });
  return due.length;
}
