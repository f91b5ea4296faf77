import { AppError, type CommandId, CommandPayload, type OrgId, type SessionId } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import type { Tx } from "./scope.ts";
import { tenantRows } from "./tenant-queries.ts";

export type NewCommand = {
  readonly orgId: OrgId;
  readonly sessionId: SessionId;
  readonly clientKey: string;
  readonly payload: CommandPayload;
};
export type PendingCommand = { readonly id: CommandId; readonly payload: CommandPayload };

/**
 * Records a request to a session (SES-34) in the caller's transaction. The same `clientKey` again is the same command: the first payload stands.
 * It locks the session's row until the transaction ends, so commit soon after.
 * @returns `wake`: the number of the ticket to queue after the commit, also for a repeat, whose first ticket may have been lost
 * @throws NOT_FOUND when the transaction's org has no such session
 */
export async function insertCommand(tx: Tx, { orgId, sessionId, clientKey, payload }: NewCommand) {
  const [row] = await tx.$queryRaw<{ wakes: number; id: string | null }[]>`
    WITH session AS (
      UPDATE sessions SET wakes = wakes + 1 WHERE org_id = ${orgId}::uuid AND id = ${sessionId}::uuid RETURNING id, org_id, wakes
    ), inserted AS (
      INSERT INTO session_commands (id, org_id, session_id, client_key, payload)
      SELECT ${newId()}::uuid, org_id, id, ${clientKey}, ${JSON.stringify(payload)}::json FROM session
      ON CONFLICT (org_id, session_id, client_key) DO NOTHING
      RETURNING id
    )
    SELECT session.wakes, inserted.id FROM session LEFT JOIN inserted ON true`;
  if (!row) throw new AppError("NOT_FOUND", "There is no such session.");
  if (row.id) return { commandId: row.id as CommandId, repeated: false, wake: row.wakes };
  const first = await tx.sessionCommand.findUniqueOrThrow({
    where: { orgId_sessionId_clientKey: { orgId, sessionId, clientKey } },
    select: { id: true },
  });
  return { commandId: first.id as CommandId, repeated: true, wake: row.wakes };
}

const pending = {
  name: "pending-commands",
  text: `
    SELECT id, payload FROM session_commands
    WHERE org_id = $1 AND consumed_at IS NULL AND session_id = $2 ORDER BY ordinal LIMIT $3`,
};
/** What is read at a time; behind a whole page there may be more. */
export const pendingPage = 500;

/** The commands nobody has consumed, oldest first, at most 500 of them. @throws SESSION_UNSUPPORTED for a kind this release does not know */
export async function pendingCommands(orgId: OrgId, sessionId: SessionId): Promise<PendingCommand[]> {
  const rows = await tenantRows<{ id: CommandId; payload: unknown }>(orgId, pending, [orgId, sessionId, pendingPage]);
  return rows.map(({ id, payload }) => {
    const parsed = CommandPayload.safeParse(payload);
    if (parsed.success) return { id, payload: parsed.data };
    throw new AppError("SESSION_UNSUPPORTED", "A newer release asked this session for something unknown here. Upgrade the workers.", {
      cause: parsed.error,
      data: { commandId: id },
    });
  });
}
