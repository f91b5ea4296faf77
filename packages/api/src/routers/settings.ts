import { ListSettings, ReplaceSettings, SetSetting, UnsetSetting, UpdateSettings } from "@gantry/contracts";
import { listSettings, replaceSettings, setSetting, unsetSetting, updateSettings } from "@gantry/services";
import { memberProcedure, orgProcedure, router } from "../trpc.ts";

/** Members change their own settings; the service holds the other levels for admins. */
export const settingsRouter = router({
  list: orgProcedure.input(ListSettings).query(({ ctx, input }) => listSettings(ctx.service, input)),
  update: memberProcedure.input(UpdateSettings).mutation(({ ctx, input }) => updateSettings(ctx.service, input)),
  replace: memberProcedure.input(ReplaceSettings).mutation(({ ctx, input }) => replaceSettings(ctx.service, input)),
  set: memberProcedure.input(SetSetting).mutation(({ ctx, input }) => setSetting(ctx.service, input)),
  unset: memberProcedure.input(UnsetSetting).mutation(({ ctx, input }) => unsetSetting(ctx.service, input)),
});
