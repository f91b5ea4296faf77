import { OrgInput } from "@gantry/contracts";
import { listPresets } from "@gantry/services";
import { orgProcedure, router } from "../trpc.ts";

export const presetRouter = router({
  list: orgProcedure.input(OrgInput).query(({ ctx }) => listPresets(ctx.service)),
});
