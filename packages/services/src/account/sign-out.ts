import type { UserId } from "@gantry/contracts";
import { withUser } from "@gantry/db";
import { auditInEachOrg } from "./login.ts";

/** Ends the login behind a cookie, so that a copy of the cookie is worth nothing (SC-W7). Repeating it changes nothing. */
export async function signOut(userId: UserId, loginId: string): Promise<void> {
  await withUser(userId, async (tx) => {
    const ended = await tx.$executeRaw`
      UPDATE login_sessions SET revoked_at = now() WHERE id = ${loginId}::uuid AND user_id = ${userId}::uuid AND revoked_at IS NULL`;
    if (ended > 0) await auditInEachOrg(tx, userId, { action: "account.signOut", subject: loginId });
  });
}
