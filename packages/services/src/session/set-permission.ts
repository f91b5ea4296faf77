import type { CommandId, SetPermission } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { requirePermission } from "./choose-permission.ts";
import { announceCommand, insertAndAudit } from "./post-command.ts";

/**
 * Puts a session on a permission preset, from its next policy decision on; what runs keeps its sandbox (PRM-5). Safe to repeat with the same
 * `clientKey`. @throws NOT_FOUND, INPUT_REFUSED for a name that the organisation does not have, CONFLICT for a key used otherwise
 */
export async function setPermission(
  ctx: ServiceContext,
  { sessionId, preset, clientKey }: SetPermission,
): Promise<{ commandId: CommandId }> {
  const { commandId, wake } = await withOrg(ctx.orgId, async (tx) => {
    const payload = { kind: "set-permission", preset: await requirePermission(tx, ctx, preset), userId: ctx.userId } as const;
    const audit = { action: "session.setPermission", subject: sessionId, details: { permission: preset } };
    return insertAndAudit(tx, ctx, { sessionId, clientKey, payload }, audit);
  });
  await announceCommand(ctx, sessionId, wake);
  return { commandId };
}
