import type { OrgId, WorkspaceId } from "@gantry/contracts";
import { tenantRows } from "./tenant-queries.ts";

const waiting = {
  name: "imports-waiting",
  text: "SELECT id FROM workspaces WHERE org_id = $1 AND state = 'importing' ORDER BY created_at LIMIT 500",
};

/** Workspaces of an org whose import has not ended, running ones included: asking the queue for one of those again does nothing. */
export async function importsWaiting(orgId: OrgId): Promise<WorkspaceId[]> {
  return (await tenantRows<{ id: WorkspaceId }>(orgId, waiting, [orgId])).map(({ id }) => id);
}
