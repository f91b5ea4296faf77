import { CancelInstall, CompositionInput, InspectPlugin, InstallBundle, RemoveBundle, SetBundle, SetRowEnabled } from "@gantry/contracts";
import { cancelInstall, inspectPlugin, installBundle, listPlugins, removeBundle, setBundle, setRowEnabled } from "@gantry/services";
import { adminProcedure, router } from "../trpc.ts";

export const pluginRouter = router({
  list: adminProcedure.input(CompositionInput).query(({ ctx, input }) => listPlugins(ctx.service, input)),
  inspect: adminProcedure.input(InspectPlugin).query(({ ctx, input }) => inspectPlugin(ctx.service, input)),
  setEnabled: adminProcedure.input(SetRowEnabled).mutation(({ ctx, input }) => setRowEnabled(ctx.service, input)),
  setBundle: adminProcedure.input(SetBundle).mutation(({ ctx, input }) => setBundle(ctx.service, input)),
  install: adminProcedure.input(InstallBundle).mutation(({ ctx, input }) => installBundle(ctx.service, input)),
  cancel: adminProcedure.input(CancelInstall).mutation(({ ctx, input }) => cancelInstall(ctx.service, input)),
  remove: adminProcedure.input(RemoveBundle).mutation(({ ctx, input }) => removeBundle(ctx.service, input)),
});
