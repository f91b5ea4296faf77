import { AppError, type OrgId, parseEvent, type SessionEvent, type SessionId } from "@gantry/contracts";
import { tenantRows } from "./tenant-queries.ts";

/**
 * Which part of the log: positions are `seq`, `from` inclusive, `to` exclusive. `limit` takes the first, `last` the last so many of the range.
 * `keepUnknown`: events of unknown types that may be skipped keep their places, without content, for whoever goes on with the log.
 */
export type EventRange = {
  readonly from?: number;
  readonly to?: number;
  readonly last?: number;
  readonly limit?: number;
  readonly keepUnknown?: boolean;
};

/** Events in a row of the answer. */
type Part = { next_seq: number; version: number; events: string | null };
/** An event as it is stored: its envelope is ours, its payload is whatever its writer made it. */
type Stored = { readonly type: string; readonly seq: number; readonly time: number };

/*
 * The first position is a bound of each index scan: as an ordinary join condition it would filter the whole log after reading it. The session's row
 * comes with every part; it says where the log ends, in the same snapshot. One position beyond is looked at: nothing may stand there.
 * Events come as JSON, some dozen a row: a column of each would be a text of its own here, and most of a long log's time.
 */
const read = {
  name: "read-events",
  text: `
    SELECT s.next_seq, s.version, part.events
    FROM sessions s
      CROSS JOIN LATERAL (SELECT GREATEST($3::bigint, LEAST($4::bigint, s.next_seq) - $5::bigint) AS first) range
      CROSS JOIN LATERAL (SELECT LEAST($4::bigint, s.next_seq + 1, range.first + $6::bigint) AS past) bound
      LEFT JOIN LATERAL generate_series(range.first, bound.past - 1, 32) AS at ON true
      LEFT JOIN LATERAL (
        SELECT string_agg('{"type":' || to_json(e.type)::text || ',"seq":' || e.seq || ',"time":' || e.time || ',"data":' || e.data::text
          || CASE WHEN e.ignorable THEN ',"ignorable":true' ELSE '' END || COALESCE(',"surfaceOp":' || e.surface_op::text, '')
          || COALESCE(',"sourceEventSeqs":' || array_to_json(e.source_event_seqs)::text, '') || '}', ',' ORDER BY e.seq) AS events
        FROM session_events e WHERE e.session_id = s.id AND e.seq >= at AND e.seq < LEAST(at + 32, bound.past)
      ) part ON true
    WHERE s.org_id = $1 AND s.id = $2`,
};

const unbounded = 2 ** 31 - 1;
/** The format of a log that this release reads and writes. */
const logVersion = 0;

/**
 * Reads a part of a session's log in order, each event parsed, and changes nothing: repair is its holder's (SES-27). A range beyond the end is
 * empty. Events of unknown types that their writer marked as skippable are left out, or kept as places without content (SES-5).
 * @throws NOT_FOUND when the org has no such session
 * @throws SESSION_CORRUPT when a position of the range is missing or a payload does not fit its type (SES-28)
 * @throws SESSION_UNSUPPORTED when the log has another format, or a newer release wrote an event that this one does not know (SES-28)
 */
export async function readEvents(orgId: OrgId, sessionId: SessionId, range: EventRange = {}): Promise<SessionEvent[]> {
  const [from, to] = [position(range.from ?? 0), position(range.to)];
  const [last, limit] = [position(range.last), position(range.limit)];
  const parts = await tenantRows<Part>(orgId, read, [orgId, sessionId, from, to, last, limit]);
  const { next_seq: nextSeq, version = logVersion } = parts[0] ?? {};
  if (nextSeq === undefined) throw new AppError("NOT_FOUND", "There is no such session.");
  if (version !== logVersion) throw version > logVersion ? newer() : older(version);
  const stored = parts.flatMap(({ events }) => (events === null ? [] : (JSON.parse(`[${events}]`) as Stored[])));
  stored.sort((a, b) => a.seq - b.seq);
  const end = Math.min(to, nextSeq);
  const start = Math.max(from, end - last);
  const expected = Math.max(0, Math.min(end - start, limit));
  if (stored.length !== expected || stored.some(({ seq }, index) => seq !== start + index))
    throw corrupt(sessionId, "a position is missing");
  return stored.flatMap((event) => parsed(sessionId, event) ?? (range.keepUnknown ? placeOf(event) : []));
}

/** Beyond what a log can have is its end. */
function position(value = unbounded): number {
  return Math.min(Math.max(0, value), unbounded);
}

/** No reader looks at an event of a type it does not know, but the next position is counted from it. */
function placeOf({ type, seq, time }: Stored): SessionEvent {
  return { type, seq, time, data: {}, ignorable: true } as unknown as SessionEvent;
}

function parsed(sessionId: SessionId, event: Stored): SessionEvent | null {
  try {
    return parseEvent(event);
  } catch (cause) {
    if (cause instanceof RangeError) throw newer(cause);
    throw corrupt(sessionId, `event ${event.seq} does not fit its type`, cause);
  }
}

function newer(cause?: unknown): AppError {
  return new AppError("SESSION_UNSUPPORTED", "This session was written by a newer release. Upgrade to open it.", { cause });
}

function older(version: number): AppError {
  const message = `The log of this session has the format ${version}, which no release reads any more. Start a new session.`;
  return new AppError("SESSION_UNSUPPORTED", message);
}

function corrupt(sessionId: SessionId, why: string, cause?: unknown): AppError {
  return new AppError(
    "SESSION_CORRUPT",
    `The log of this session is damaged: ${why}. Start a new session; an operator can inspect this one.`,
    {
      data: { sessionId },
      cause,
    },
  );
}
