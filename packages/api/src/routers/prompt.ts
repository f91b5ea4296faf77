import { AnswerPrompt, ListPrompts, SessionInput } from "@gantry/contracts";
import { answerPrompt, listDeciders, listPrompts } from "@gantry/services";
import { memberProcedure, orgProcedure, router } from "../trpc.ts";

export const promptRouter = router({
  list: orgProcedure.input(ListPrompts).query(({ ctx, input }) => listPrompts(ctx.service, input)),
  deciders: orgProcedure.input(SessionInput).query(({ ctx, input }) => listDeciders(ctx.service, input)),
  answer: memberProcedure.input(AnswerPrompt).mutation(({ ctx, input }) => answerPrompt(ctx.service, input)),
});
