import { NoInput, SignUp } from "@gantry/contracts";
import { getOidc, signUp } from "@gantry/services";
import { publicProcedure, router } from "../trpc.ts";

export const accountRouter = router({
  signUp: publicProcedure.input(SignUp).mutation(({ ctx, input }) => signUp(ctx.deps, input, ctx.address)),
  oidc: publicProcedure.input(NoInput).query(({ ctx }) => getOidc(ctx.deps)),
});
