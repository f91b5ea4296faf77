import {
  type EventLine,
  type EventReading,
  isAppError,
  maxNeighbours,
  type OrgId,
  type QueryCaller,
  queryError,
  type SessionEvent,
  type SessionId,
  type SurfaceMap,
  searchTextOf,
} from "@gantry/contracts";
import { readEvents } from "@gantry/db";
import { type ReadableSession, readSession } from "./query-scope.ts";
import { readSurface } from "./read-surface.ts";

const summaryChars = 120;
type Target = { readonly sessionId?: string; readonly seq: number; readonly before?: number; readonly after?: number };

/**
 * One event unabridged, with a line for each neighbour asked for (QRY-8).
 * @throws SESSION_QUERY_EVENT_NOT_FOUND beyond the end (AG-034), …_INVALID_WINDOW for over 50 neighbours a side, …_CORRUPT_SESSION, …_SESSION_NOT_FOUND
 */
export async function readEvent(caller: QueryCaller, target: Target): Promise<EventReading> {
  const { seq, before = 0, after = 0 } = target;
  for (const count of [before, after])
    if (!Number.isInteger(count) || count < 0 || count > maxNeighbours)
      throw queryError("INVALID_WINDOW", `At most ${maxNeighbours} neighbours are shown on each side.`);
  return readSession(caller, target.sessionId, async (session) => {
    assertEvent(session, seq);
    const { id: sessionId } = session;
    const events = await readRange(caller.orgId, sessionId, { from: Math.max(0, seq - before), to: seq + after + 1 });
    const event = events.find((candidate) => candidate.seq === seq);
    if (!event) throw eventNotFound(); // of a type that this release skips (SES-5)
    const surface = await readSurface(caller.orgId, sessionId);
    const lines = events.map((other) => lineOf(other, surface));
    return {
      sessionId,
      event,
      surface: surface.surfaceOf(seq),
      before: lines.filter((line) => line.seq < seq),
      after: lines.filter((line) => line.seq > seq),
    };
  });
}

/** @throws SESSION_QUERY_EVENT_NOT_FOUND for a position that the log does not have */
export function assertEvent({ nextSeq }: ReadableSession, seq: number): void {
  if (!Number.isInteger(seq) || seq < 0 || seq >= nextSeq) throw eventNotFound();
}

function eventNotFound() {
  return queryError("EVENT_NOT_FOUND", "The session has no event at this position.");
}

async function readRange(orgId: OrgId, sessionId: SessionId, range: { from: number; to: number }): Promise<SessionEvent[]> {
  try {
    return await readEvents(orgId, sessionId, range);
  } catch (cause) {
    if (!isAppError(cause, "SESSION_CORRUPT") && !isAppError(cause, "SESSION_UNSUPPORTED")) throw cause;
    throw queryError("CORRUPT_SESSION", cause.message, { cause });
  }
}

function lineOf(event: SessionEvent, surface: SurfaceMap): EventLine {
  const { seq, time, type } = event;
  const words = searchTextOf(event)?.text ?? JSON.stringify(event.data);
  const line = words
    .slice(0, summaryChars * 4)
    .replace(/\s+/gu, " ")
    .trim();
  return { seq, time, type, surface: surface.surfaceOf(seq), summary: [...line.toWellFormed()].slice(0, summaryChars).join("") };
}
