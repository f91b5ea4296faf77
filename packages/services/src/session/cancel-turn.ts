import type { CancelTurn, CommandId } from "@gantry/contracts";
import type { ServiceContext } from "../context.ts";
import { postCommand } from "./post-command.ts";

/** Asks a session to stop what it does; queued messages go too unless `keepInbox`. Safe to repeat. @throws NOT_FOUND */
export async function cancelTurn(ctx: ServiceContext, input: CancelTurn): Promise<{ commandId: CommandId }> {
  const { sessionId, clientKey, keepInbox = false } = input;
  const payload = { kind: "cancel", keepInbox, userId: ctx.userId } as const;
  const audit = { action: "session.cancel", subject: sessionId, details: { keepInbox } };
  const { commandId } = await postCommand(ctx, { sessionId, clientKey, payload }, audit);
  return { commandId };
}
