import { AppError, type OrgId, type SessionId } from "@gantry/contracts";
import { selectsPreset } from "./read-only.ts";
import { tenantQueries, tenantRows } from "./tenant-queries.ts";

/*
 * Leases are counted by one clock, Postgres' now(). Acquiring and releasing first lock the session's row, so they and the inserting of commands
 * happen one after the other, and the statement behind the lock sees what the one before committed.
 */
const lockSession = { name: "lock-session", text: "SELECT id FROM sessions WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE" };

const acquire = {
  name: "acquire-lease",
  text: `
    WITH lease AS (
      INSERT INTO session_leases AS held (org_id, session_id, worker_id, epoch, expires_at)
      SELECT org_id, id, $3, lease_epoch + 1, now() + make_interval(secs => $4 / 1000.0) FROM sessions WHERE org_id = $1 AND id = $2
      ON CONFLICT (session_id) DO UPDATE SET worker_id = excluded.worker_id, epoch = excluded.epoch, expires_at = excluded.expires_at
        WHERE held.expires_at <= now()
      RETURNING epoch
    )
    UPDATE sessions SET lease_epoch = lease.epoch, try_again = false FROM lease WHERE org_id = $1 AND id = $2
    RETURNING lease_epoch AS epoch, next_seq, status, COALESCE(wake_at <= now(), false) AS is_due`,
};

const renew = {
  name: "renew-lease",
  text: `
    UPDATE session_leases SET expires_at = now() + make_interval(secs => $4 / 1000.0)
    WHERE org_id = $1 AND session_id = $2 AND epoch = $3 AND expires_at > now() RETURNING epoch`,
};

const release = {
  name: "release-lease",
  text: `
    WITH waiting AS (
      SELECT FROM session_commands WHERE org_id = $1 AND consumed_at IS NULL AND session_id = $2 LIMIT 1
    ), gone AS (
      DELETE FROM session_leases WHERE org_id = $1 AND session_id = $2 AND epoch = $3 AND NOT EXISTS (SELECT FROM waiting) RETURNING epoch
    )
    SELECT EXISTS (SELECT FROM gone) AS released,
      EXISTS (SELECT FROM session_leases WHERE org_id = $1 AND session_id = $2 AND epoch = $3) AS held`,
};

const putDown = {
  name: "put-down-lease",
  text: `
    DELETE FROM session_leases WHERE org_id = $1 AND session_id = $2 AND epoch = $3 AND NOT EXISTS (
      SELECT FROM session_commands WHERE org_id = $1 AND consumed_at IS NULL AND session_id = $2 AND ${selectsPreset("payload")})
    RETURNING epoch`,
};

const handOver = {
  name: "hand-over-lease",
  text: "UPDATE session_leases SET expires_at = now() WHERE org_id = $1 AND session_id = $2 AND epoch = $3",
};

/**
 * Takes a session for one worker (REC-1), so that no two hold it at once (SES-2). Each success has an epoch one above the last, which is what its writes are fenced by.
 * A session that was to be looked at again is being looked at now.
 * @returns null while a lease has not run out, this worker's own included; `status` is the session's at that moment, `isDue` whether the time has come at
 *   which it goes on by itself
 * @throws NOT_FOUND when the org has no such session
 */
export async function acquireLease(orgId: OrgId, sessionId: SessionId, workerId: string, ttlMs: number) {
  const [session, lease] = await tenantQueries<{ epoch: number; next_seq: number; status: string; is_due: boolean }>(
    orgId,
    [lockSession, [orgId, sessionId]],
    [acquire, [orgId, sessionId, workerId, ttlMs]],
  );
  if (session?.rowCount === 0) throw new AppError("NOT_FOUND", "There is no such session.");
  const row = lease?.rows[0];
  return row ? { epoch: row.epoch, nextSeq: row.next_seq, status: row.status, isDue: row.is_due } : null;
}

/** Prolongs a held lease to `ttlMs` from now. False when it ran out or is another's: stop the session's work and write nothing (REC-1). */
export async function renewLease(orgId: OrgId, sessionId: SessionId, epoch: number, ttlMs: number): Promise<boolean> {
  return (await tenantRows(orgId, renew, [orgId, sessionId, epoch, ttlMs])).length > 0;
}

/** Gives a session back. `pending`: a command arrived, so the lease is kept and the holder goes on; `lost`: it was no longer held. */
export async function releaseLease(orgId: OrgId, sessionId: SessionId, epoch: number): Promise<"released" | "pending" | "lost"> {
  const [, answer] = await tenantQueries<{ released: boolean; held: boolean }>(
    orgId,
    [lockSession, [orgId, sessionId]],
    [release, [orgId, sessionId, epoch]],
  );
  const row = answer?.rows[0];
  if (row?.released) return "released";
  return row?.held ? "pending" : "lost";
}

/**
 * Gives a read-only session back with everything that waits for it (G-19). False when a preset was selected meanwhile, so the holder looks
 * again, or when the lease was lost.
 */
export async function putDownLease(orgId: OrgId, sessionId: SessionId, epoch: number): Promise<boolean> {
  const [, answer] = await tenantQueries<{ epoch: number }>(orgId, [lockSession, [orgId, sessionId]], [putDown, [orgId, sessionId, epoch]]);
  return answer?.rowCount === 1;
}

/** Lets a lease run out now, with work left: `sessionsDue` names the session from this moment on. Nothing when it is no longer held. */
export async function handOverLease(orgId: OrgId, sessionId: SessionId, epoch: number): Promise<void> {
  await tenantRows(orgId, handOver, [orgId, sessionId, epoch]);
}
