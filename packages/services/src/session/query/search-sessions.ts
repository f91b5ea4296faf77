import { type QueryCaller, type QueryPage, type SessionMatch, type SessionSearchQuery, snippetOf } from "@gantry/contracts";
import { tenantRows } from "@gantry/db";
import { catchUp } from "./catch-up.ts";
import { eventBounds, timeBounds } from "./event-filter.ts";
import { isMatch, matchSql, questionSql, questionValues, rankSql } from "./match-sql.ts";
import { assertFresh, cursorAfter, pagePlace } from "./query-cursor.ts";
import { findReadable, isId, openScope, type QueryScope, type ReadableSession, sessionColumns } from "./query-scope.ts";

/*
 * $4 workspace, $5 the caller's own session, $6 ids, $7 parents, $8 roots too, $9 live or not, $10/$11 created, $12/$13 positions,
 * $14/$15 times, $16 kinds, $17 shadowed or not, $18 limit, $19 offset. A null filter lets everything pass.
 */
const search = {
  name: "search-sessions",
  text: `
    WITH ${questionSql}, readable AS MATERIALIZED (
      SELECT ${sessionColumns}, s.created_at, s.indexed_seq FROM sessions s
      WHERE s.org_id = $1 AND ($4::uuid IS NULL OR s.workspace_id = $4) AND s.id IS DISTINCT FROM $5::uuid
    ), wanted AS (
      SELECT * FROM readable r
      WHERE ($6::uuid[] IS NULL OR r.id = ANY ($6))
        AND (($7::uuid[] IS NULL AND NOT $8::boolean) OR r."parentId" = ANY ($7) OR ($8 AND r."parentId" IS NULL))
        AND ($9::boolean IS NULL OR r."isLive" = $9)
        AND ($10::float8 IS NULL OR r."createdAt" >= $10) AND ($11::float8 IS NULL OR r."createdAt" <= $11)
    ), shadowed AS (
      SELECT e.session_id, unnest(e.source_event_seqs) AS seq FROM session_events e JOIN wanted w ON w.id = e.session_id
      WHERE jsonb_typeof(e.surface_op) = 'object' AND $17::boolean IS NOT NULL
    ), found AS (
      SELECT t.session_id, t.seq, t.kind, t.text, e.time, ${rankSql} AS rank
      FROM wanted w JOIN session_texts t ON t.session_id = w.id ${matchSql}
        JOIN session_events e ON e.session_id = t.session_id AND e.seq = t.seq
      WHERE t.org_id = $1 AND ${isMatch}
        AND ($12::int IS NULL OR t.seq >= $12) AND ($13::int IS NULL OR t.seq <= $13)
        AND ($14::bigint IS NULL OR e.time >= $14) AND ($15::bigint IS NULL OR e.time <= $15)
        AND ($16::text[] IS NULL OR t.kind = ANY ($16))
        AND ($17 IS NULL OR EXISTS (SELECT FROM shadowed h WHERE h.session_id = t.session_id AND h.seq = t.seq) = $17)
    ), best AS (
      SELECT DISTINCT ON (session_id) *, count(*) OVER (PARTITION BY session_id)::int AS matches FROM found
      ORDER BY session_id, rank DESC, seq
    ), page AS (
      SELECT w.*, b.seq, b.kind, b.text, b.time, b.matches, b.rank FROM best b JOIN wanted w ON w.id = b.session_id
      ORDER BY b.rank DESC, w.created_at DESC, w.id LIMIT $18 OFFSET $19
    )
    SELECT p.*, g.generation FROM (SELECT count(*) || '.' || COALESCE(sum(indexed_seq), 0) AS generation FROM readable) g LEFT JOIN page p ON true
    ORDER BY p.rank DESC, p.created_at DESC, p.id`,
};
type Found = ReadableSession & { seq: number; kind: SessionMatch["best"]["kind"]; text: string; time: string; matches: number };
type Row = (Found | { [K in keyof Found]: null }) & { generation: string };

/**
 * Finds sessions by what was said in them, best match first, each once (QRY-2, QRY-8). An agent never finds its own session (AG-030). Ids and parents that the
 * caller may not see filter like ids that do not exist (AG-242).
 * @throws SESSION_QUERY_INVALID_QUERY, …_INVALID_FILTER, …_INVALID_LIMIT, …_INVALID_CURSOR, …_STALE_CURSOR, …_INDEX_FAILED, …_SESSION_NOT_FOUND
 */
export async function searchSessions(
  caller: QueryCaller,
  query: SessionSearchQuery,
  signal?: AbortSignal,
): Promise<QueryPage<SessionMatch>> {
  const { cursor, limit, ...question } = query;
  const place = pagePlace({ ...question, caller }, { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) });
  const words = questionValues(query.query);
  const [events, created] = [eventBounds(query.events), timeBounds(query.createdFrom, query.createdTo)];
  const scope = await openScope(caller);
  const workspaceId = scope.workspaceId ?? query.workspaceId ?? null;
  const isComplete = await catchUp(caller.orgId, workspaceId, signal);
  const { ids, parents } = await authorise(caller, scope, query);
  const bounds = [events.seqFrom, events.seqTo, events.time.from, events.time.to, events.isEmpty ? [] : events.kinds, events.isShadowed];
  const sessions = [ids, parents, query.includeRoots ?? false, isLive(query.availability), created.from, created.to];
  const values = [caller.orgId, ...words, workspaceId, caller.sessionId ?? null, ...sessions, ...bounds, place.limit + 1, place.offset];
  const rows = await tenantRows<Row>(caller.orgId, search, values);
  signal?.throwIfAborted();
  const generation = rows[0]?.generation ?? "";
  assertFresh(place, generation);
  const found = rows.filter((row): row is Found & { generation: string } => row.id !== null);
  const shown = found.slice(0, place.limit);
  const visible = await visibleParents(caller, scope, shown);
  await openScope(caller); // whoever was removed while the search ran gets nothing of it
  const items = shown.map((row) => matchOf(row, query.query, visible));
  return { items, nextCursor: cursorAfter(place, generation, found.length), isComplete };
}

/** Guesses are looked at before the search, each once, so that no result tells which of them exist. */
async function authorise(caller: QueryCaller, scope: QueryScope, { sessionIds = [], parentIds = [] }: SessionSearchQuery) {
  const readable = new Set((await findReadable(caller, scope, [...sessionIds, ...parentIds])).map(({ id }) => String(id)));
  const known = (ids: readonly string[]) =>
    ids.length === 0 ? null : [...new Set(ids.filter(isId).map((id) => id.toLowerCase()))].filter((id) => readable.has(id));
  return { ids: known(sessionIds), parents: known(parentIds) };
}

function isLive(availability: SessionSearchQuery["availability"] = []): boolean | null {
  return availability.includes("live") && !availability.includes("persisted") ? true : null;
}

async function visibleParents(caller: QueryCaller, scope: QueryScope, found: readonly Found[]): Promise<Set<string>> {
  const parents = found.flatMap(({ parentId }) => parentId ?? []);
  return new Set((await findReadable(caller, scope, parents)).map(({ id }) => String(id)));
}

function matchOf(row: Found, query: string, visible: ReadonlySet<string>): SessionMatch {
  const { id: sessionId, workspaceId, title, createdAt, isLive: live, parentId, matches, seq, kind, text, time } = row;
  const parent = parentId === null ? null : visible.has(parentId) ? { sessionId: parentId } : "outside";
  const best = { seq, time: Number(time), kind, snippet: snippetOf(text, query) };
  return { sessionId, workspaceId, title, createdAt, isLive: live, parent, matches, best };
}
