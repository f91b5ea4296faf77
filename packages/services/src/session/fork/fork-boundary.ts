import { AppError, type SessionId } from "@gantry/contracts";
import type { Tx } from "@gantry/db";

/** How a part of a log ends, and what it says last; all of it read up to a position. */
type LogEnd = {
  /** position of the turn that is open at the end; null between turns */
  readonly openTurnAt: number | null;
  /** whether the last event is `session/end-seed` already */
  readonly isSealed: boolean;
  readonly title: string | null;
  /** the permission preset last written; null when none was */
  readonly permission: string | null;
};
export type ForkPoint = LogEnd & {
  /** number of events to copy */
  readonly length: number;
};

/**
 * Where a fork ends (SES-23): after the event it names; else at the end of the log, without a turn that is still running (AG-145).
 * @throws INVALID_BOUNDARY for a position that the log does not have, OPEN_TURN for one inside a turn (AG-014)
 */
export async function forkPoint(tx: Tx, source: { id: SessionId; nextSeq: number }, boundarySeq: number | undefined): Promise<ForkPoint> {
  const { id, nextSeq } = source;
  if (boundarySeq !== undefined && boundarySeq >= nextSeq)
    throw new AppError("INVALID_BOUNDARY", "The session has no event at this position. Choose one that it has.", { data: { nextSeq } });
  const length = boundarySeq === undefined ? nextSeq : boundarySeq + 1;
  const end = await readEnd(tx, id, length);
  if (end.openTurnAt === null) return { ...end, length };
  if (boundarySeq === undefined) return { ...(await readEnd(tx, id, end.openTurnAt)), length: end.openTurnAt };
  throw new AppError("OPEN_TURN", "This position lies inside a turn. Fork at the end of a turn, or wait until this one has ended.", {
    data: { turnStartSeq: end.openTurnAt },
  });
}

/** Only the events wanted are read: the log is walked backwards from its end. */
async function readEnd(tx: Tx, sessionId: SessionId, length: number): Promise<LogEnd> {
  const [last, mark, titled, permitted] = [
    await lastOf(tx, sessionId, length, []),
    await lastOf(tx, sessionId, length, ["turn/start", "turn/end"]),
    await lastOf(tx, sessionId, length, ["session/title"]),
    await lastOf(tx, sessionId, length, ["permission/preset"]),
  ];
  return {
    openTurnAt: mark?.type === "turn/start" ? mark.seq : null,
    isSealed: last?.type === "session/end-seed",
    title: textOf(titled?.data, "title"),
    permission: textOf(permitted?.data, "preset"),
  };
}

function lastOf(tx: Tx, sessionId: SessionId, length: number, types: string[]) {
  return tx.sessionEvent.findFirst({
    where: { sessionId, seq: { lt: length }, ...(types.length > 0 && { type: { in: types } }) },
    orderBy: { seq: "desc" },
    select: { seq: true, type: true, data: types.length > 0 },
  });
}

function textOf(data: unknown, key: string): string | null {
  const value = (data as Record<string, unknown> | null | undefined)?.[key];
  return typeof value === "string" ? value : null;
}
