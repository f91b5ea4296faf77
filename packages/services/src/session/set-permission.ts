import type { CommandId, SetPermission } from "@gantry/contracts";
import type { ServiceContext } from "../context.ts";
import { knownPermission } from "./choose-permission.ts";
import { postCommand } from "./post-command.ts";

/**
 * Puts a session on a permission preset, from its next policy decision on; what runs keeps its sandbox (PRM-5). Safe to repeat with the same
 * `clientKey`. @throws NOT_FOUND, INPUT_REFUSED for an unknown name, CONFLICT for a key used otherwise
 */
export async function setPermission(
  ctx: ServiceContext,
  { sessionId, preset, clientKey }: SetPermission,
): Promise<{ commandId: CommandId }> {
  const payload = { kind: "set-permission", preset: knownPermission(preset), userId: ctx.userId } as const;
  const audit = { action: "session.setPermission", subject: sessionId, details: { permission: preset } };
  const { commandId } = await postCommand(ctx, { sessionId, clientKey, payload }, audit);
  return { commandId };
}
