import type { CommandId, RenameSession } from "@gantry/contracts";
import type { ServiceContext } from "../context.ts";
import { postCommand } from "./post-command.ts";

/** Asks the lease holder to log a new title; the list shows it once it is logged. Safe to repeat. @throws NOT_FOUND */
export async function renameSession(ctx: ServiceContext, input: RenameSession): Promise<{ commandId: CommandId }> {
  const { sessionId, clientKey, title } = input;
  const payload = { kind: "rename", title, userId: ctx.userId } as const;
  const { commandId } = await postCommand(ctx, { sessionId, clientKey, payload }, { action: "session.rename", subject: sessionId });
  return { commandId };
}
