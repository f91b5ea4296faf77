import { OrgInput } from "@gantry/contracts";
import { getSystemStatus } from "@gantry/services";
import { orgProcedure, router } from "../trpc.ts";

export const systemRouter = router({
  status: orgProcedure.input(OrgInput).query(({ ctx }) => getSystemStatus(ctx.service)),
});
