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

type StoredRow = {
  next_seq: number;
  version: number;
  seq: number | null;
  time: string;
  type: string;
  data: unknown;
  ignorable: boolean;
  surface_op: unknown;
  source_event_seqs: number[] | null;
};

/*
 * Lateral, so that the first position is a bound of the index scan: as an ordinary join condition it would filter the whole log after reading it.
 * The session's row comes with every event; it says where the log ends, in the same snapshot.
 */
const read = {
  name: "read-events",
  text: `
    SELECT s.next_seq, s.version, e.seq, e.time, e.type, e.data, e.ignorable, e.surface_op, e.source_event_seqs
    FROM sessions s LEFT JOIN LATERAL (
      SELECT * FROM session_events
      WHERE session_id = s.id AND seq >= GREATEST($3::int, LEAST($4::int, s.next_seq) - $5::int) AND seq < $4::int
      ORDER BY seq LIMIT $6
    ) e ON true
    WHERE s.org_id = $1 AND s.id = $2
    ORDER BY e.seq`,
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
  const rows = await tenantRows<StoredRow>(orgId, read, [orgId, sessionId, from, to, last, limit]);
  const nextSeq = rows[0]?.next_seq;
  if (nextSeq === undefined) throw new AppError("NOT_FOUND", "There is no such session.");
  const version = rows[0]?.version ?? logVersion;
  if (version !== logVersion) throw version > logVersion ? newer() : older(version);
  const stored = rows[0]?.seq === null ? [] : rows;
  const end = Math.min(to, nextSeq);
  const start = Math.max(from, end - last);
  const expected = Math.max(0, Math.min(end - start, limit));
  if (stored.length !== expected || stored.some((row, index) => row.seq !== start + index))
    throw corrupt(sessionId, "a position is missing");
  return stored.flatMap((row) => parseRow(sessionId, row) ?? (range.keepUnknown ? placeOf(row) : []));
}

/** Beyond what a log can have is its end. */
function position(value = unbounded): number {
  return Math.min(Math.max(0, value), unbounded);
}

/** No reader looks at an event of a type it does not know, but the next position is counted from it. */
function placeOf({ type, seq, time }: StoredRow): SessionEvent {
  return { type, seq, time: Number(time), data: {}, ignorable: true } as unknown as SessionEvent;
}

function parseRow(sessionId: SessionId, row: StoredRow): SessionEvent | null {
  try {
    return parseEvent({
      type: row.type,
      seq: row.seq,
      time: Number(row.time),
      data: row.data,
      ...(row.ignorable ? { ignorable: true } : {}),
      ...(row.surface_op === null ? {} : { surfaceOp: row.surface_op }),
      ...(row.source_event_seqs === null ? {} : { sourceEventSeqs: row.source_event_seqs }),
    });
  } catch (cause) {
    if (cause instanceof RangeError) throw newer(cause);
    throw corrupt(sessionId, `event ${row.seq} does not fit its type`, cause);
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
