import { eventData, maxNoteBytes, type PutFeedback } from "@gantry/contracts";
import { type Tx, withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { noteBlank, noteTooLarge, targetNotFound, versionConflict } from "./feedback-errors.ts";
import { assertSession, type Feedback, findFeedback, ownRow } from "./feedback-row.ts";

/**
 * Stores what the caller thinks of an answer, if nothing changed since they read it: `ifVersion` null writes the first row only. The same content again keeps
 * its version (FBK-1). The answer must be stored: what is still being written cannot be judged.
 * @throws with `data.reason`: note-blank, note-too-large, session-not-found, target-not-found, version-conflict with what is stored
 */
export async function putFeedback(ctx: ServiceContext, input: PutFeedback): Promise<Feedback> {
  checkNote(input.note);
  return withOrg(ctx.orgId, async (tx) => {
    await assertSession(tx, ctx, input.sessionId);
    if (!(await isAnswer(tx, input))) throw targetNotFound();
    const current = await findFeedback(tx, ctx, input);
    const note = input.note ?? null;
    if (current && current.version === input.ifVersion && current.rating === input.rating && current.note === note) return current;
    if (!(await write(tx, ctx, input))) throw versionConflict(await findFeedback(tx, ctx, input));
    const details = { messageId: input.messageId, rating: input.rating };
    await writeAudit(tx, ctx, { action: "feedback.put", subject: input.sessionId, details });
    const stored = await findFeedback(tx, ctx, input);
    if (!stored) throw versionConflict(null);
    return stored;
  });
}

/** Before anything is read: a note that cannot be stored is refused for every session alike. */
function checkNote(note: string | undefined): void {
  if (note === undefined) return;
  if (note.trim() === "") throw noteBlank();
  const bytes = Buffer.byteLength(note);
  if (bytes > maxNoteBytes) throw noteTooLarge(maxNoteBytes, bytes);
}

/** Compare and set in the statement itself: of two writers with the same version one finds no row. */
async function write(tx: Tx, ctx: ServiceContext, input: PutFeedback): Promise<boolean> {
  const { rating, note = null, ifVersion } = input;
  const content = { rating, note, version: newId() };
  if (ifVersion === null)
    return (await tx.messageFeedback.createMany({ data: [{ ...ownRow(ctx, input), ...content }], skipDuplicates: true })).count === 1;
  return (await tx.messageFeedback.updateMany({ where: { ...ownRow(ctx, input), version: ifVersion }, data: content })).count === 1;
}

/** Whether the message is an answer of the agent with something in it, as it was first logged. */
async function isAnswer(tx: Tx, { sessionId, messageId }: PutFeedback): Promise<boolean> {
  // by the text of the payload: reading a json document on the server would refuse NUL inside strings
  const rows = await tx.$queryRaw<{ data: unknown }[]>`
    SELECT data FROM session_events
    WHERE session_id = ${sessionId}::uuid AND type = 'assistant/message' AND surface_op = '"append"'::jsonb
      AND strpos(data::text, ${`"id":${JSON.stringify(messageId)}`}) > 0`;
  return rows.some(({ data }) => {
    const { success, data: event } = eventData["assistant/message"].safeParse(data);
    return success && event.message.id === messageId && event.message.content.length > 0;
  });
}
