import type { ChangeQueue, CommandId } from "@gantry/contracts";
import type { ServiceContext } from "../context.ts";
import { checkMessage } from "./check-message.ts";
import { postCommand } from "./post-command.ts";

/**
 * Asks for a change of what waits in a session's queue (INB-2). A message that was taken into a turn meanwhile stays what it became. Safe to repeat
 * with the same `clientKey`. @throws NOT_FOUND, MESSAGE_TOO_LARGE, CONFLICT for a key used otherwise
 */
export async function changeQueue(ctx: ServiceContext, input: ChangeQueue): Promise<{ commandId: CommandId }> {
  const { sessionId, messageId, change, clientKey } = input;
  if (change.kind === "edit") checkMessage(change.text);
  const payload = { kind: "queue", messageId, change, userId: ctx.userId, userName: ctx.userName } as const;
  const audit = { action: "session.queue", subject: sessionId, details: { messageId, change: change.kind } };
  const { commandId } = await postCommand(ctx, { sessionId, clientKey, payload }, audit);
  return { commandId };
}
