import { NoInput, RevokeLogin } from "@gantry/contracts";
import { getMe, listLogins, revokeAllLogins, revokeLogin } from "@gantry/services";
import { router, userProcedure } from "../trpc.ts";

export const meRouter = router({
  get: userProcedure.input(NoInput).query(({ ctx }) => getMe(ctx.user)),
  logins: userProcedure.input(NoInput).query(({ ctx }) => listLogins(ctx.user)),
  revokeLogin: userProcedure.input(RevokeLogin).mutation(({ ctx, input }) => revokeLogin(ctx.user, input)),
  revokeAllLogins: userProcedure.input(NoInput).mutation(({ ctx }) => revokeAllLogins(ctx.user)),
});
