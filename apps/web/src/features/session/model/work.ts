import type { TurnRow } from "./rows.ts";
import type { SessionState, Turn } from "./state.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
export type OpenTurn = Omit<Mutable<Turn>, "rows"> & { rows: TurnRow[] };
/** A state that one batch may change in place: each part is copied the first time the batch touches it. */
export type Work = Mutable<SessionState> & { own: OpenTurn | null };

/** The last turn, ready to be changed; one whose start is not loaded is made when nothing is there. */
export function currentTurn(work: Work): OpenTurn {
  if (work.own) return work.own;
  const last = work.turns.at(-1);
  if (!last || last.endedAt !== null) return openNewTurn(work, 0, null);
  work.own = { ...last, rows: [...last.rows] };
  work.turns = work.turns.with(-1, work.own);
  return work.own;
}

export function turnOf(work: Work, number: number): OpenTurn {
  const turn = currentTurn(work);
  if (turn.turn === 0) turn.turn = number;
  return turn;
}

export function openNewTurn(work: Work, turn: number, startedAt: number | null): OpenTurn {
  const beforeSeq = work.turns.at(-1)?.endSeq ?? null;
  const times = { startedAt, endedAt: null, reason: null, beforeSeq, endSeq: null };
  work.own = { turn, ...times, rows: [...work.between], after: [], spent: [] };
  work.turns = [...work.turns, work.own];
  work.between = [];
  work.closedMessages = [];
  return work.own;
}

/** A row of its own place in time: in the open turn, behind the last one, or before the first. */
export function putRow(work: Work, row: TurnRow): void {
  const last = work.turns.at(-1);
  if (!last) work.between = [...work.between, row];
  else if (last.endedAt === null) currentTurn(work).rows.push(row);
  else work.turns = work.turns.with(-1, { ...last, after: [...last.after, row] });
}

/** Changes every row that `change` answers with another object for, from turn `from` on: a settled turn becomes another object only when a row of it does. */
export function changeRows(work: Work, change: (row: TurnRow) => TurnRow, from = 0): void {
  work.between = changed(work.between, change);
  for (let at = work.turns.length - 1; at >= from; at--) {
    const turn = work.turns[at] as Turn;
    const [rows, after] = [changed(turn.rows, change), changed(turn.after, change)];
    if (rows === turn.rows && after === turn.after) continue;
    if (turn === work.own) work.own.rows = [...rows];
    else work.turns = work.turns.with(at, { ...turn, rows, after });
  }
}

function changed(rows: readonly TurnRow[], change: (row: TurnRow) => TurnRow): readonly TurnRow[] {
  let next = rows;
  rows.forEach((row, at) => {
    const other = change(row);
    if (other !== row) next = next.with(at, other);
  });
  return next;
}
