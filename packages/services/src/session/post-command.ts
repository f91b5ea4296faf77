import { AppError, type CommandId, CommandPayload, type SessionId } from "@gantry/contracts";
import { insertCommand, queueCommand, type Tx } from "@gantry/db";
import { wakeSession } from "@gantry/queue";
import { announce } from "../announce.ts";
import { type AuditFact, writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";

export type NewCommand = { readonly sessionId: SessionId; readonly clientKey: string; readonly payload: CommandPayload };
export type PostedCommand = {
  readonly commandId: CommandId;
  readonly payload: CommandPayload;
  readonly repeated: boolean;
  readonly wake: number;
};

/**
 * Puts a command into a session's queue and wakes the session. Command, wake count and audit row commit together; the ticket and the nudge
 * follow, and may be lost: the sweep finds the command (SES-34). A repeat of `clientKey` changes nothing and returns what is stored (AG-245).
 * @throws NOT_FOUND, CONFLICT when the key was used for something else
 */
export async function postCommand(ctx: ServiceContext, command: NewCommand, fact: AuditFact): Promise<PostedCommand> {
  const audit = { actorId: ctx.userId, action: fact.action, subject: fact.subject ?? null, details: fact.details ?? {} };
  const { commandId, wake, earlier } = await queueCommand({ orgId: ctx.orgId, ...command }, audit);
  const payload = earlier ? sameRequest(earlier.payload, command.payload) : command.payload;
  await announceCommand(ctx, command.sessionId, wake);
  return { commandId, wake, repeated: earlier !== null, payload };
}

/** {@link postCommand} inside the caller's transaction, for what commits together with more; `wake` is the number of the ticket to announce. */
export async function insertAndAudit(tx: Tx, ctx: ServiceContext, command: NewCommand, audit: AuditFact): Promise<PostedCommand> {
  const { commandId, repeated, wake } = await insertCommand(tx, { orgId: ctx.orgId, ...command });
  if (repeated) return { commandId, repeated, wake, payload: await storedPayload(tx, commandId, command.payload) };
  await writeAudit(tx, ctx, audit);
  return { commandId, repeated, wake, payload: command.payload };
}

/** Ticket for whichever worker is free, nudge for the one that holds the session already. */
export async function announceCommand(ctx: ServiceContext, sessionId: SessionId, wake: number): Promise<void> {
  const { orgId } = ctx;
  await announce(ctx, "session.wake", () =>
    Promise.all([ctx.producer.enqueue(wakeSession, { orgId, sessionId, wake }), ctx.publisher.publishNudge({ orgId, sessionId })]),
  );
}

async function storedPayload(tx: Tx, id: string, asked: CommandPayload): Promise<CommandPayload> {
  const row = await tx.sessionCommand.findUniqueOrThrow({ where: { id }, select: { payload: true } });
  return sameRequest(row.payload, asked);
}

/** What is stored under a key, as the repeat gets it. @throws CONFLICT when it is another request */
export function sameRequest(row: unknown, asked: CommandPayload): CommandPayload {
  const stored = CommandPayload.parse(row);
  if (!isSameRequest(stored, asked))
    throw new AppError("CONFLICT", "This request key was used for another request already. Send it again with a new key.");
  return stored;
}

/** A repeat asks for the same thing by the same person; what each attempt finds out anew, a new id or a preset's present revision, does not count. */
function isSameRequest(stored: CommandPayload, asked: CommandPayload): boolean {
  return JSON.stringify(CommandPayload.parse(comparable(stored, asked))) === JSON.stringify(CommandPayload.parse(asked));
}

function comparable(stored: CommandPayload, asked: CommandPayload): CommandPayload {
  if (stored.kind === "send" && asked.kind === "send") return { ...stored, messageId: asked.messageId, userName: asked.userName };
  if (stored.kind === "queue" && asked.kind === "queue" && asked.userName !== undefined) return { ...stored, userName: asked.userName };
  if (stored.kind === "command" && asked.kind === "command") return { ...stored, commandId: asked.commandId };
  if (stored.kind === "select-preset" && asked.kind === "select-preset") return { ...stored, revision: asked.revision };
  return stored;
}
