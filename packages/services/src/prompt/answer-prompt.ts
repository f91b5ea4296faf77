import { isDeepStrictEqual } from "node:util";
import { type AnswerPrompt, AppError, type CommandId, type SessionId } from "@gantry/contracts";
import { type PromptAnswer, type Tx, takeAnswer, withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { announceCommand, insertAndAudit, type PostedCommand } from "../session/post-command.ts";
import { readAnswer } from "./read-answer.ts";

/**
 * Answers what a session asks people. The first answer in time counts, for exactly the call that was shown (APR-5, SC-P2); it and the command that
 * wakes the session commit together. Safe to repeat with the same `clientKey`.
 * @throws NOT_FOUND; BAD_REQUEST for an answer that does not fit; CONFLICT when it was answered or withdrawn already, is out of time, or was shown
 *   with another binding
 */
export async function answerPrompt(ctx: ServiceContext, input: AnswerPrompt): Promise<{ commandId: CommandId }> {
  const { sessionId, commandId, wake } = await withOrg(ctx.orgId, (tx) => insertAnswer(tx, ctx, input));
  await announceCommand(ctx, sessionId, wake);
  return { commandId };
}

async function insertAnswer(tx: Tx, ctx: ServiceContext, input: AnswerPrompt): Promise<PostedCommand & { sessionId: SessionId }> {
  const { orgId } = ctx;
  const { promptId, binding, clientKey } = input;
  const prompt = await tx.pendingPrompt.findUnique({
    where: { orgId_id: { orgId, id: promptId } },
    select: { sessionId: true, kind: true, shown: true, binding: true, toolName: true },
  });
  if (!prompt) throw new AppError("NOT_FOUND", "There is no such question.");
  const sessionId = prompt.sessionId as SessionId;
  const answer = readAnswer(input, prompt);
  const command = { sessionId, clientKey, payload: { kind: "answer", promptId } } as const;
  const audit = {
    action: "prompt.answer",
    subject: promptId,
    details: { sessionId, kind: prompt.kind, tool: prompt.toolName, outcome: answer.outcome },
  };
  const isTaken = await takeAnswer(tx, { orgId, promptId, binding, answer, by: ctx.userId });
  // a repeat finds its own command, and is refused below when that was for something else
  if (!isTaken && !(await isRepeat(tx, ctx, { sessionId, input, answer }))) throw await whyNot(tx, ctx, input);
  return { ...(await insertAndAudit(tx, ctx, command, audit)), sessionId };
}

type Repeat = { readonly sessionId: SessionId; readonly input: AnswerPrompt; readonly answer: PromptAnswer };

/** The same person said the same before, with the same key. */
async function isRepeat(tx: Tx, { orgId, userId }: ServiceContext, { sessionId, input, answer }: Repeat): Promise<boolean> {
  const { promptId, clientKey } = input;
  if ((await tx.sessionCommand.count({ where: { orgId, sessionId, clientKey } })) === 0) return false;
  const where = { orgId_id: { orgId, id: promptId } };
  const stored = await tx.pendingPrompt.findUnique({ where, select: { answer: true, decidedBy: true } });
  return stored?.decidedBy === userId && isDeepStrictEqual(stored.answer, answer);
}

async function whyNot(tx: Tx, { orgId }: ServiceContext, { promptId, binding }: AnswerPrompt): Promise<AppError> {
  const now = await tx.pendingPrompt.findUnique({ where: { orgId_id: { orgId, id: promptId } }, select: { state: true, binding: true } });
  if (now?.state === "answered") return conflict("This was answered already. The first answer counts.");
  if (now?.state === "cancelled") return conflict("Nobody waits for this answer any more: the turn was stopped.");
  if (now?.binding !== binding) return conflict("What you saw is not what is asked. Reload and decide again.");
  return conflict("The time for this answer is over. The agent was told that nobody answered.");
}

const conflict = (message: string) => new AppError("CONFLICT", message);
