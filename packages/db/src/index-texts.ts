import { type OrgId, parseEvent, type SessionId, searchedTypes, searchTextOf, type WorkspaceId } from "@gantry/contracts";
import { tenantQueries, tenantRows } from "./tenant-queries.ts";

/** How many positions of a log are read in one go. */
const windowEvents = 5_000;

const unindexed = {
  name: "unindexed-sessions",
  text: `
    SELECT id FROM sessions WHERE org_id = $1 AND indexed_seq < next_seq AND ($2::uuid IS NULL OR workspace_id = $2)
    ORDER BY last_activity_at DESC, id DESC LIMIT $3`,
};

/** Sessions whose log has grown since it was indexed, last active first. */
export async function unindexedSessions(orgId: OrgId, workspaceId: WorkspaceId | null, limit: number): Promise<SessionId[]> {
  const rows = await tenantRows<{ id: SessionId }>(orgId, unindexed, [orgId, workspaceId, limit]);
  return rows.map(({ id }) => id);
}

const read = {
  name: "read-searched-events",
  text: `
    SELECT s.next_seq, s.indexed_seq, e.seq, e.time, e.type, e.data, e.surface_op
    FROM sessions s LEFT JOIN session_events e
      ON e.session_id = s.id AND e.seq >= s.indexed_seq AND e.seq < s.indexed_seq + ${windowEvents} AND e.type = ANY ($3::text[])
    WHERE s.org_id = $1 AND s.id = $2 ORDER BY e.seq`,
};
type Read = { next_seq: number; indexed_seq: number; seq: number | null; time: string; type: string; data: unknown; surface_op: unknown };

const insert = {
  name: "insert-session-texts",
  text: `
    INSERT INTO session_texts (org_id, session_id, seq, kind, text)
    SELECT $1, $2, t.seq, t.kind, t.text FROM unnest($3::int[], $4::text[], $5::text[]) AS t(seq, kind, text) ON CONFLICT DO NOTHING`,
};
const advance = {
  name: "advance-index",
  text: "UPDATE sessions SET indexed_seq = GREATEST(indexed_seq, $3) WHERE org_id = $1 AND id = $2 AND next_seq >= $3",
};

/**
 * Takes what people, agents and tools said in the next stretch of a log into the search texts. Says whether the log's end was reached; an unknown session
 * has nothing more. Two at once do the same work twice and no harm.
 */
export async function indexTexts(orgId: OrgId, sessionId: SessionId): Promise<{ isComplete: boolean }> {
  const rows = await tenantRows<Read>(orgId, read, [orgId, sessionId, Object.values(searchedTypes)]);
  const [first] = rows;
  if (!first || first.indexed_seq >= first.next_seq) return { isComplete: true };
  const end = Math.min(first.next_seq, first.indexed_seq + windowEvents);
  const texts = rows.flatMap((row) => textOf(row) ?? []);
  const columns = [texts.map(({ seq }) => seq), texts.map(({ kind }) => kind), texts.map(({ text }) => text.replaceAll("\0", "\ufffd"))];
  await tenantQueries(orgId, [insert, [orgId, sessionId, ...columns]], [advance, [orgId, sessionId, end]]);
  return { isComplete: end === first.next_seq };
}

function textOf({ seq, time, type, data, surface_op }: Read) {
  if (seq === null) return null;
  try {
    const event = parseEvent({ seq, time: Number(time), type, data, ...(surface_op !== null && { surfaceOp: surface_op }) });
    const found = event && searchTextOf(event);
    return found && { seq, ...found };
  } catch {
    return null; // a damaged event is not found; whoever opens the session is told
  }
}
