import type { OrgId, SessionId } from "@gantry/contracts";
import { tenantRows } from "./tenant-queries.ts";

const count = { name: "event-count", text: "SELECT next_seq FROM sessions WHERE org_id = $1 AND id = $2" };

/** How many events a session's log has; null when the org has no such session. One round trip: each open stream asks every few seconds. @throws UNAVAILABLE */
export async function countEvents(orgId: OrgId, sessionId: SessionId): Promise<number | null> {
  const [row] = await tenantRows<{ next_seq: number }>(orgId, count, [orgId, sessionId]);
  return row?.next_seq ?? null;
}
