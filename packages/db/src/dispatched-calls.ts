import type { OrgId, SessionId } from "@gantry/contracts";
import { tenantRows } from "./tenant-queries.ts";

const read = {
  name: "dispatched-calls",
  text: "SELECT call_seq FROM tool_executions WHERE org_id = $1 AND session_id = $2 AND call_seq >= $3 AND state = 'dispatched' ORDER BY call_seq",
};

/** Positions of the `tool/call` events, from `from` on, whose bodies may have begun and that have no result (REC-15). What is not among them never began. */
export async function dispatchedCalls(orgId: OrgId, sessionId: SessionId, from: number): Promise<number[]> {
  return (await tenantRows<{ call_seq: number }>(orgId, read, [orgId, sessionId, from])).map((row) => row.call_seq);
}
