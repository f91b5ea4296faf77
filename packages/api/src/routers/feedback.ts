import { DeleteFeedback, PutFeedback, SessionInput } from "@gantry/contracts";
import { deleteFeedback, listFeedback, putFeedback } from "@gantry/services";
import { memberProcedure, orgProcedure, router } from "../trpc.ts";

export const feedbackRouter = router({
  list: orgProcedure.input(SessionInput).query(({ ctx, input }) => listFeedback(ctx.service, input)),
  put: memberProcedure.input(PutFeedback).mutation(({ ctx, input }) => putFeedback(ctx.service, input)),
  delete: memberProcedure.input(DeleteFeedback).mutation(({ ctx, input }) => deleteFeedback(ctx.service, input)),
});
