import { AppError, type CommandId, type Json } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import type { NewCommand } from "./commands.ts";
import { tenantRows } from "./tenant-queries.ts";

/** Who did it and what it is called; `details` never hold message text. */
export type CommandAudit = { readonly actorId: string; readonly action: string; readonly subject: string | null; readonly details: Json };
export type QueuedCommand = {
  readonly commandId: CommandId;
  /** the number of the ticket to queue, also for a repeat, whose first ticket may have been lost */
  readonly wake: number;
  /** what an earlier request stored under this key, unread; null when this is the first */
  readonly earlier: { readonly payload: unknown } | null;
};

/** Command, wake count and audit row: all parts of one statement, since a person waits for it (performance.md, row 9). */
const queue = {
  name: "queue-command",
  text: `
    WITH woken AS (
      UPDATE sessions SET wakes = wakes + 1 WHERE org_id = $1 AND id = $2 RETURNING wakes
    ), queued AS (
      INSERT INTO session_commands (id, org_id, session_id, client_key, payload) SELECT $3, $1, $2, $4, $5::json FROM woken
      ON CONFLICT (org_id, session_id, client_key) DO NOTHING
      RETURNING id
    ), audited AS (
      INSERT INTO audit_entries (id, org_id, actor_id, action, subject, details) SELECT $6, $1, $7, $8, $9, $10::jsonb FROM queued
    )
    SELECT woken.wakes, queued.id FROM woken LEFT JOIN queued ON true`,
};
const stored = {
  name: "command-by-key",
  text: "SELECT id, payload FROM session_commands WHERE org_id = $1 AND session_id = $2 AND client_key = $3",
};

/**
 * `insertCommand` in a transaction of its own, with its audit row: one round trip for what only queues a command. A repeat of the key
 * changes nothing and answers with what is stored. @throws NOT_FOUND when the org has no such session; UNAVAILABLE
 */
export async function queueCommand({ orgId, sessionId, clientKey, payload }: NewCommand, audit: CommandAudit): Promise<QueuedCommand> {
  const command = [orgId, sessionId, newId(), clientKey, JSON.stringify(payload)];
  const entry = [newId(), audit.actorId, audit.action, audit.subject, JSON.stringify(audit.details)];
  const [row] = await tenantRows<{ wakes: number; id: CommandId | null }>(orgId, queue, [...command, ...entry]);
  if (!row) throw new AppError("NOT_FOUND", "There is no such session.");
  if (row.id) return { commandId: row.id, wake: row.wakes, earlier: null };
  const [first] = await tenantRows<{ id: CommandId; payload: unknown }>(orgId, stored, [orgId, sessionId, clientKey]);
  if (!first) throw new AppError("NOT_FOUND", "There is no such session."); // removed since
  return { commandId: first.id, wake: row.wakes, earlier: { payload: first.payload } };
}
