import { AppError, type RevokeLogin } from "@gantry/contracts";
import { withUser } from "@gantry/db";
import type { UserContext } from "../context.ts";
import { auditInEachOrg } from "./login.ts";

/** Signs one browser of the person out, at once (SC-W7). Repeating it changes nothing. @throws NOT_FOUND, also for another person's login */
export async function revokeLogin(ctx: UserContext, { loginId }: RevokeLogin): Promise<{ loginId: string }> {
  return withUser(ctx.userId, async (tx) => {
    const found = await tx.$executeRaw`
      UPDATE login_sessions SET revoked_at = COALESCE(revoked_at, now()) WHERE id = ${loginId}::uuid AND user_id = ${ctx.userId}::uuid`;
    if (found === 0) throw new AppError("NOT_FOUND", "There is no such sign-in.");
    await auditInEachOrg(tx, ctx.userId, { action: "me.revokeLogin", subject: loginId });
    return { loginId };
  });
}
