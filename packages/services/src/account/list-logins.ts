import { withUser } from "@gantry/db";
import type { UserContext } from "../context.ts";
import { loginIdleHours } from "./login.ts";

export type LoginView = {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  /** the browser that asks */
  readonly isCurrent: boolean;
};

/** The browsers a person is signed in with, last seen first. */
export async function listLogins(ctx: UserContext): Promise<LoginView[]> {
  const rows = await withUser(
    ctx.userId,
    (tx) =>
      tx.$queryRaw<Omit<LoginView, "isCurrent">[]>`
        SELECT id::text, created_at AS "createdAt", last_seen_at AS "lastSeenAt", expires_at AS "expiresAt" FROM login_sessions
        WHERE user_id = ${ctx.userId}::uuid AND revoked_at IS NULL AND expires_at > now()
          AND last_seen_at > now() - make_interval(hours => ${loginIdleHours}::int)
        ORDER BY last_seen_at DESC LIMIT 200`,
  );
  return rows.map((row) => ({ ...row, isCurrent: row.id === ctx.loginId }));
}
