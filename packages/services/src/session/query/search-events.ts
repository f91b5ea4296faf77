import {
  type EventMatch,
  type EventSearchQuery,
  type OrgId,
  type QueryCaller,
  type QueryPage,
  queryError,
  type SessionId,
  snippetOf,
} from "@gantry/contracts";
import { tenantRows } from "@gantry/db";
import { indexSession } from "./catch-up.ts";
import { eventBounds } from "./event-filter.ts";
import { isMatch, matchSql, questionSql, questionValues, rankSql } from "./match-sql.ts";
import { assertFresh, cursorAfter, pagePlace } from "./query-cursor.ts";
import { readSession } from "./query-scope.ts";
import { readSurface } from "./read-surface.ts";

/* $4 session, $5 end of what is searched, $6/$7 positions, $8/$9 times, $10 kinds, $11 how many, null: all */
const search = {
  name: "search-session-events",
  text: `
    WITH ${questionSql}
    SELECT t.seq, t.kind, t.text, e.time, ${rankSql} AS rank
    FROM session_texts t ${matchSql} JOIN session_events e ON e.session_id = t.session_id AND e.seq = t.seq
    WHERE t.org_id = $1 AND t.session_id = $4 AND t.seq < $5 AND ${isMatch}
      AND ($6::int IS NULL OR t.seq >= $6) AND ($7::int IS NULL OR t.seq <= $7)
      AND ($8::bigint IS NULL OR e.time >= $8) AND ($9::bigint IS NULL OR e.time <= $9)
      AND ($10::text[] IS NULL OR t.kind = ANY ($10))
    ORDER BY rank DESC, t.seq LIMIT $11::int`,
};
type Found = { seq: number; kind: EventMatch["kind"]; text: string; time: string };

/**
 * Finds what was said in one session, best match first. In the caller's own session it ends before the step that asks, which would find its own question
 * (QRY-6). @throws SESSION_QUERY_… as `searchSessions`; INVALID_WINDOW when the caller's own session has no open step
 */
export async function searchEvents(caller: QueryCaller, query: EventSearchQuery, signal?: AbortSignal): Promise<QueryPage<EventMatch>> {
  const { cursor, limit, ...question } = query;
  const place = pagePlace({ ...question, caller }, { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) });
  const words = questionValues(query.query);
  const { seqFrom, seqTo, time, kinds, isShadowed, isEmpty } = eventBounds(query.events);
  return readSession(caller, query.sessionId, async ({ id, nextSeq }) => {
    const end = id === caller.sessionId ? await openStep(caller.orgId, id) : nextSeq;
    const generation = String(end);
    assertFresh(place, generation);
    await indexSession(caller.orgId, id, signal);
    const values = [caller.orgId, ...words, id, end, seqFrom, seqTo, time.from, time.to, isEmpty ? [] : kinds];
    // what stands where is known of the rows only
    const enough = isShadowed === null ? Math.min(place.offset + place.limit + 1, 2 ** 31 - 1) : null;
    const all = await tenantRows<Found>(caller.orgId, search, [...values, enough]);
    signal?.throwIfAborted();
    const surface = isShadowed === null ? null : await readSurface(caller.orgId, id);
    const wanted = surface ? all.filter(({ seq }) => (surface.surfaceOf(seq) === "shadowed") === isShadowed) : all;
    const rest = wanted.slice(place.offset, place.offset + place.limit + 1);
    const items = rest.slice(0, place.limit).map((row) => matchOf(row, query.query));
    return { items, nextCursor: cursorAfter(place, generation, rest.length), isComplete: true };
  });
}

function matchOf({ seq, kind, text, time }: Found, query: string): EventMatch {
  return { seq, time: Number(time), kind, snippet: snippetOf(text, query) };
}

const lastStep = {
  name: "last-step-mark",
  text: `
    SELECT seq, type FROM session_events WHERE org_id = $1 AND session_id = $2 AND type IN ('step/start', 'step/end') ORDER BY seq DESC LIMIT 1`,
};

async function openStep(orgId: OrgId, sessionId: SessionId): Promise<number> {
  const [mark] = await tenantRows<{ seq: number; type: string }>(orgId, lastStep, [orgId, sessionId]);
  if (mark?.type === "step/start") return mark.seq;
  throw queryError("INVALID_WINDOW", "The own session is searched from inside a step only.");
}
