import { listOrgIds, sessionsDue } from "@gantry/db";
import { wakeSession } from "@gantry/queue";
import type { WorkerDeps } from "../compose.ts";

/** Wakes what was committed and never queued, and what lost its holder (architecture §5). A repeat is harmless: the lease decides. */
export async function sweepSessions({ producer, log }: Pick<WorkerDeps, "producer" | "log">): Promise<number> {
  let woken = 0;
  for (const orgId of await listOrgIds()) {
    for (const { sessionId, wake } of await sessionsDue(orgId)) {
      await producer.enqueue(wakeSession, { orgId, sessionId, wake });
      woken += 1;
    }
  }
  if (woken > 0) log.info({ woken }, "sweep woke sessions");
  return woken;
}
