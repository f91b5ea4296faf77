import type { OrgId, SessionId } from "@gantry/contracts";
import { readOnly, selectsPreset } from "./read-only.ts";
import { tenantRows } from "./tenant-queries.ts";

const due = {
  name: "sessions-due",
  text: `
    WITH due AS (
      SELECT c.session_id FROM session_commands c JOIN sessions s ON s.org_id = c.org_id AND s.id = c.session_id
      WHERE c.org_id = $1 AND consumed_at IS NULL AND c.created_at <= now() - make_interval(secs => $2 / 1000.0)
        AND (s.status <> '${readOnly}' OR ${selectsPreset("c.payload")})
        AND NOT EXISTS (SELECT FROM session_leases l WHERE l.org_id = $1 AND l.session_id = c.session_id AND l.expires_at > now())
      UNION
      SELECT id FROM sessions s WHERE org_id = $1 AND try_again AND status = '${readOnly}'
        AND NOT EXISTS (SELECT FROM session_leases l WHERE l.org_id = $1 AND l.session_id = s.id AND l.expires_at > now())
      UNION
      SELECT id FROM sessions s WHERE org_id = $1 AND wake_at <= now() AND status <> '${readOnly}'
        AND NOT EXISTS (SELECT FROM session_leases l WHERE l.org_id = $1 AND l.session_id = s.id AND l.expires_at > now())
      UNION
      SELECT session_id FROM session_leases WHERE org_id = $1 AND expires_at <= now()
      LIMIT $3
    )
    UPDATE sessions SET wakes = wakes + 1 FROM due WHERE org_id = $1 AND id = due.session_id
    RETURNING id, wakes`,
};

/**
 * Sessions of an org that need a worker and have none: a command was committed over `graceMs` ago and nobody holds the lease, the time has come at which
 * it goes on by itself (CP-56), or the holder's lease ran out before it gave the session back, which means that it died. What waits for a read-only session waits for a preset to be selected
 * and does not count until then, or until the org's composition has changed, which may have put the session right. Each answer counts as a new
 * wake and carries its number.
 */
export async function sessionsDue(orgId: OrgId, { graceMs = 5_000, limit = 500 } = {}): Promise<{ sessionId: SessionId; wake: number }[]> {
  const rows = await tenantRows<{ id: SessionId; wakes: number }>(orgId, due, [orgId, graceMs, limit]);
  return rows.map(({ id, wakes }) => ({ sessionId: id, wake: wakes }));
}
