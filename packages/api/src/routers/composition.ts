import { CheckLayer, CompositionInput, DiffLayers, GetComposition, RollBackLayer, SaveLayer } from "@gantry/contracts";
import { checkLayer, diffLayers, getComposition, getLayer, rollBackLayer, saveLayer } from "@gantry/services";
import { adminProcedure, router } from "../trpc.ts";

/** Reads write an audit row too (D-7). `check` changes nothing; it is sent as a change because a whole layer does not fit into an address. */
export const compositionRouter = router({
  get: adminProcedure.input(GetComposition).query(({ ctx, input }) => getComposition(ctx.service, input)),
  layer: adminProcedure.input(CompositionInput).query(({ ctx, input }) => getLayer(ctx.service, input)),
  check: adminProcedure.input(CheckLayer).mutation(({ ctx, input }) => checkLayer(ctx.service, input)),
  diff: adminProcedure.input(DiffLayers).query(({ ctx, input }) => diffLayers(ctx.service, input)),
  save: adminProcedure.input(SaveLayer).mutation(({ ctx, input }) => saveLayer(ctx.service, input)),
  rollBack: adminProcedure.input(RollBackLayer).mutation(({ ctx, input }) => rollBackLayer(ctx.service, input)),
});
