import { AppError, type CommandId, humanCommands, parseCommand, type RunCommand } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import type { ServiceContext } from "../context.ts";
import { postCommand } from "./post-command.ts";

/**
 * Has a session carry out a human command (CMD-1). What became of it is in the log. Whether the session's preset has the command is decided there; what no
 * release has is refused at once. `runId` names it there. Safe to repeat with the same `clientKey`. @throws NOT_FOUND, INPUT_REFUSED, CONFLICT for a key used otherwise
 */
export async function runCommand(
  ctx: ServiceContext,
  { sessionId, text, clientKey }: RunCommand,
): Promise<{ commandId: CommandId; runId: string }> {
  const written = parseCommand(text.trimEnd());
  if (!written) throw new AppError("INPUT_REFUSED", `A command is a slash and a name at the beginning of the text, such as ${examples()}.`);
  const { name, args } = written;
  if (!humanCommands.includes(name))
    throw new AppError(
      "INPUT_REFUSED",
      `There is no command of this name. Known ones: ${examples()}. To send the text as a message, begin it with a space.`,
    );
  const asks = { kind: "command", commandId: newId(), name, args, userId: ctx.userId } as const;
  // as the choice on the page: whoever looks for it finds what was asked for; what people write otherwise is content
  const asked = name === "permission" && args.length <= 64 ? { permission: args } : null;
  const audit = { action: "session.command", subject: sessionId, details: { command: name, ...asked } };
  const { commandId, payload } = await postCommand(ctx, { sessionId, clientKey, payload: asks }, audit);
  return { commandId, runId: payload.kind === "command" ? payload.commandId : "" };
}

const examples = (): string => humanCommands.map((name) => `/${name}`).join(", ");
