import { withUser } from "@gantry/db";
import type { UserContext } from "../context.ts";
import { auditInEachOrg } from "./login.ts";

/** Signs the person out everywhere, the asking browser included (SC-W7). */
export async function revokeAllLogins(ctx: UserContext): Promise<{ revoked: number }> {
  return withUser(ctx.userId, async (tx) => {
    const revoked = await tx.$executeRaw`
      UPDATE login_sessions SET revoked_at = now() WHERE user_id = ${ctx.userId}::uuid AND revoked_at IS NULL`;
    await auditInEachOrg(tx, ctx.userId, { action: "me.revokeAllLogins", details: { revoked } });
    return { revoked };
  });
}
