import type { OrgId, SessionId } from "@gantry/contracts";
import type { Tx } from "./scope.ts";

/**
 * Copies the first `length` events of a session into another one that has none, byte for byte: positions, times and payloads stay (SES-23). Both
 * sessions are the org's. Answers with the number of events copied.
 */
export async function copyLog(tx: Tx, orgId: OrgId, { from, to, length }: { from: SessionId; to: SessionId; length: number }) {
  return tx.$executeRaw`
    INSERT INTO session_events (org_id, session_id, seq, time, type, data, ignorable, surface_op, source_event_seqs, lease_epoch)
    SELECT org_id, ${to}::uuid, seq, time, type, data, ignorable, surface_op, source_event_seqs, 0
    FROM session_events WHERE org_id = ${orgId}::uuid AND session_id = ${from}::uuid AND seq < ${length}::int`;
}
