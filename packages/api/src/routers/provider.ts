import { OrgInput, RemoveProvider, SaveProvider } from "@gantry/contracts";
import { listProviders, removeProvider, saveProvider } from "@gantry/services";
import { adminProcedure, orgProcedure, router } from "../trpc.ts";

export const providerRouter = router({
  list: orgProcedure.input(OrgInput).query(({ ctx }) => listProviders(ctx.service)),
  save: adminProcedure.input(SaveProvider).mutation(({ ctx, input }) => saveProvider(ctx.service, input)),
  remove: adminProcedure.input(RemoveProvider).mutation(({ ctx, input }) => removeProvider(ctx.service, input)),
});
