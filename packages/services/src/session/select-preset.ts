import { AppError, type CommandId, type SelectPreset } from "@gantry/contracts";
import { type Tx, withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { pinPreset } from "../preset/pin-preset.ts";
import { announceCommand, insertAndAudit, type PostedCommand } from "./post-command.ts";
import { sessionNotFound } from "./session-not-found.ts";
import { waitingMessages } from "./waiting-messages.ts";

/**
 * Asks the lease holder to put the session on a preset's present revision: while it has produced nothing (G-20), or when its own revision cannot be
 * mounted any more and it is read-only (G-19). The switch is an event of the log. Safe to repeat with the same `clientKey`.
 * @throws NOT_FOUND, PRESET_UNKNOWN, PRESET_BROKEN, CONFLICT for a session that has begun
 */
export async function selectPreset(ctx: ServiceContext, input: SelectPreset): Promise<{ commandId: CommandId }> {
  const { sessionId } = input;
  const { commandId, wake } = await withOrg(ctx.orgId, (tx) => insertSwitch(tx, ctx, input));
  await announceCommand(ctx, sessionId, wake);
  return { commandId };
}

async function insertSwitch(tx: Tx, ctx: ServiceContext, { sessionId, preset: slug, clientKey }: SelectPreset): Promise<PostedCommand> {
  await assertSwitchable(tx, ctx, sessionId, clientKey);
  const { id: presetId, revision } = await pinPreset(tx, ctx, slug);
  const payload = { kind: "select-preset", presetId, revision, userId: ctx.userId } as const;
  const audit = { action: "session.selectPreset", subject: sessionId, details: { preset: slug, revision } };
  return insertAndAudit(tx, ctx, { sessionId, clientKey, payload }, audit);
}

/**
 * The holder decides again when it takes the command; here a person gets the answer at once. The session's row is locked, so that no message comes in
 * between: one that waits begins the session before a switch behind it. A repeat was decided when it first came.
 */
async function assertSwitchable(tx: Tx, { orgId }: ServiceContext, sessionId: SelectPreset["sessionId"], clientKey: string): Promise<void> {
  await tx.$executeRaw`SELECT id FROM sessions WHERE org_id = ${orgId}::uuid AND id = ${sessionId}::uuid FOR NO KEY UPDATE`;
  const session = await tx.session.findUnique({
    where: { orgId_id: { orgId, id: sessionId } },
    select: {
      status: true,
      events: { where: { type: "turn/start" }, take: 1, select: { seq: true } },
      commands: { where: { clientKey }, take: 1, select: { id: true } },
    },
  });
  if (!session) throw sessionNotFound();
  if (session.status === "read-only" || session.commands.length > 0) return;
  if (session.events.length === 0 && (await waitingMessages(tx, { orgId, sessionId })).length === 0) return;
  throw new AppError("CONFLICT", "This session has begun to work, so its preset stays. Start a new session with the other preset.");
}
