import type { EventData } from "@gantry/contracts";
import type { Ask, TurnRow } from "./rows.ts";
import { changeRows, currentTurn, type Work } from "./work.ts";

type Asked = { readonly id: string; readonly kind: Ask["kind"]; readonly callId: string | undefined; readonly time: number };

/** A call begins to wait for a person (APR-5). */
export function foldAsked(work: Work, { id, kind, callId, time }: Asked): void {
  work.asks = [...work.asks.filter((open) => open.id !== id), { id, kind, since: time }];
  const turn = currentTurn(work);
  const at = turn.rows.findLastIndex((row) => row.kind === "tool" && row.callId === callId);
  const row = turn.rows[at];
  if (row?.kind === "tool") turn.rows[at] = { ...row, state: "waiting", ask: { id, kind, outcome: null, by: null } };
}

/** What a person, a policy or the end of the turn said to it. The call's own time begins here. */
export function foldAnswered(
  work: Work,
  { id, outcome, by }: EventData<"approval/decided"> | EventData<"question/answered">,
  time: number,
): void {
  work.asks = work.asks.filter((open) => open.id !== id);
  work.answered = { id, outcome, by: by ?? null };
  changeRows(work, (row) => answered(row, { id, outcome, by: by ?? null, time }), Math.max(0, work.turns.length - 1));
}

function answered(row: TurnRow, { id, outcome, by, time }: Pick<Ask, "id" | "outcome" | "by"> & { time: number }): TurnRow {
  if (row.kind !== "tool" || row.ask?.id !== id) return row;
  const ask = { ...row.ask, outcome, by };
  return row.state === "waiting" ? { ...row, ask, state: "running", startedAt: time } : { ...row, ask };
}
