import type { OrgId } from "@gantry/contracts";
import { expirePrompts, importsWaiting, listOrgIds, sessionsDue } from "@gantry/db";
import { importWorkspace, wakeSession } from "@gantry/queue";
import type { WorkerDeps } from "../compose.ts";

/**
 * Wakes what was committed and never queued, and what lost its holder (architecture §5), and asks again for imports that have not ended.
 * A repeat is harmless: the lease decides, and the queue holds an import once. Orgs that are gone lose their roots (M-15).
 */
export async function sweepSessions({ producer, log, roots }: Pick<WorkerDeps, "producer" | "log" | "roots">): Promise<number> {
  let woken = 0;
  const orgIds = await listOrgIds();
  await roots.closeAllBut(orgIds);
  for (const orgId of orgIds) {
    await expirePrompts(orgId); // leaves commands, which wake their sessions
    woken += await sweepOrg({ producer }, orgId);
    for (const workspaceId of await importsWaiting(orgId)) await producer.enqueue(importWorkspace, { orgId, workspaceId });
  }
  if (woken > 0) log.info({ woken }, "sweep woke sessions");
  return woken;
}

/** Queues a ticket for each session of an org that needs a worker and has none. */
export async function sweepOrg({ producer }: Pick<WorkerDeps, "producer">, orgId: OrgId): Promise<number> {
  const due = await sessionsDue(orgId);
  for (const { sessionId, wake } of due) await producer.enqueue(wakeSession, { orgId, sessionId, wake });
  return due.length;
}
