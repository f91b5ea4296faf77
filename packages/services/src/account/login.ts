import type { OrgId, UserId } from "@gantry/contracts";
import { enterOrg, type Tx, userRows, withUser } from "@gantry/db";
import { newId } from "@gantry/platform";
import { type AuditFact, writeAudit } from "../audit/write-audit.ts";

/** A signed-in browser with the person it belongs to. */
export type Login = { readonly loginId: string; readonly userId: UserId; readonly email: string; readonly name: string };

/** Idle limit of a login; the absolute one is 7 days from sign-in (SC-W7). Both are kept by Postgres' clock. */
export const loginIdleHours = 12;
export const loginMaxDays = 7;

/** Makes the row that a sign-in cookie will name: a new id at every sign-in, so a fixed cookie is worth nothing (SC-W7). */
export async function openLogin(tx: Tx, userId: UserId): Promise<string> {
  const id = newId();
  await tx.$executeRaw`
    INSERT INTO login_sessions (id, user_id, expires_at) VALUES (${id}::uuid, ${userId}::uuid, now() + make_interval(days => ${loginMaxDays}::int))`;
  return id;
}

const liveLogin = {
  name: "live-login",
  text: `
    SELECT u.email, u.name, l.last_seen_at < now() - interval '1 minute' AS "isStale"
    FROM login_sessions l JOIN users u ON u.id = l.user_id
    WHERE l.id = $1::uuid AND l.user_id = $2::uuid AND l.revoked_at IS NULL AND l.expires_at > now()
      AND l.last_seen_at > now() - make_interval(hours => $3::int)`,
};

/** The login that a cookie names, or null when it is revoked, expired or was idle too long. Seen logins stay awake. */
export async function findLogin(userId: UserId, loginId: string): Promise<Login | null> {
  const [row] = await userRows<{ email: string; name: string; isStale: boolean }>(userId, liveLogin, [loginId, userId, loginIdleHours]);
  if (!row) return null;
  if (row.isStale)
    await withUser(userId, (tx) => tx.$executeRaw`UPDATE login_sessions SET last_seen_at = now() WHERE id = ${loginId}::uuid`);
  return { loginId, userId, email: row.email, name: row.name };
}

/** Records something about a person's account in each organisation they belong to, in the transaction of the change (SC-L2). */
export async function auditInEachOrg(tx: Tx, userId: UserId, fact: AuditFact): Promise<void> {
  const memberships = await membershipsOf(tx, userId);
  for (const { orgId } of memberships) {
    await enterOrg(tx, orgId);
    await writeAudit(tx, { orgId, userId }, fact);
  }
}

async function membershipsOf(tx: Tx, userId: UserId) {
  await tx.$executeRaw`SELECT set_config('app.user_id', ${userId}, true)`; // sign-in works as the system, which sees no memberships
  return tx.$queryRaw<{ orgId: OrgId }[]>`SELECT org_id AS "orgId" FROM memberships WHERE user_id = ${userId}::uuid ORDER BY org_id`;
}
