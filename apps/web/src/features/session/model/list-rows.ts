import { draftRows } from "./drafts.ts";
import { filesOfTool } from "./present.ts";
import type { MoreRow, Row, SummaryRow, ToolRow, ToolState, TurnRow } from "./rows.ts";
import { splitText } from "./split-text.ts";
import type { SessionState, Turn } from "./state.ts";

/** Which turns the reader has opened: a settled one shows its work, a running one shows its earlier tool rows. */
export type OpenTurns = ReadonlySet<number>;

/** Tool rows of a running turn that stay in view when the earlier ones collapse to "+N". */
const liveToolRows = 3;

/** The rows to draw. Turns that did not change give the same row objects again. */
export function listRows(state: SessionState, open: OpenTurns): Row[] {
  return state.turns.flatMap((turn) => rowsOfTurn(state, turn, open.has(turn.turn)));
}

const cache = { open: new WeakMap<Turn, Row[]>(), closed: new WeakMap<Turn, Row[]>() };

function rowsOfTurn(state: SessionState, turn: Turn, isOpen: boolean): Row[] {
  const kept = cache[isOpen ? "open" : "closed"];
  const known = kept.get(turn) ?? (turn.endedAt === null ? liveRows(turn, isOpen) : settledRows(turn, isOpen)).flatMap(inParts);
  kept.set(turn, known);
  const drafts = state.drafts.filter((draft) => draft.turn === turn.turn);
  return drafts.length === 0 ? known : [...known, ...drafts.flatMap(draftRows).filter(isShown).flatMap(inParts)];
}

/** A settled turn: prompts, one line for its work, the final answer, and how it ended if it did not simply complete. */
function settledRows(turn: Turn, isOpen: boolean): Row[] {
  const rows = turn.rows.filter(isShown);
  const answerAt = rows.findLastIndex((row) => row.kind !== "text" && row.kind !== "end") + 1;
  const isWork = (row: TurnRow, at: number) => row.kind !== "prompt" && row.kind !== "preset" && row.kind !== "end" && at < answerAt;
  if (!rows.some(isWork)) return rows;
  const summary = summaryOf(turn, isOpen);
  const firstWork = rows.findIndex(isWork);
  const before = rows.slice(0, firstWork);
  const after = rows.slice(firstWork).filter((row, at) => isOpen || !isWork(row, at + firstWork));
  return [...before, summary, ...after];
}

function liveRows(turn: Turn, isOpen: boolean): Row[] {
  const rows = turn.rows.filter(isShown);
  if (isOpen) return rows;
  const settled = rows.filter((row) => row.kind === "tool" && row.endedAt !== null);
  const hidden = new Set<TurnRow>(settled.slice(0, -liveToolRows));
  if (hidden.size < 2) return rows;
  const more: MoreRow = { kind: "more", key: `more:${turn.turn}`, turn: turn.turn, count: hidden.size };
  const firstHidden = rows.findIndex((row) => hidden.has(row));
  return [...rows.slice(0, firstHidden), more, ...rows.slice(firstHidden).filter((row) => !hidden.has(row))];
}

const inParts = (row: Row): Row[] => (row.kind === "text" ? splitText(row) : [row]);

const troubled = new Set<ToolState>(["failed", "denied", "cut-off"]);
/** A to-do call is drawn as the list itself, unless it went wrong. */
const isShown = (row: TurnRow): boolean => !(row.kind === "tool" && row.name === "todo_write" && !troubled.has(row.state));

function summaryOf(turn: Turn, open: boolean): SummaryRow {
  const tools = turn.rows.filter((row): row is ToolRow => row.kind === "tool");
  return {
    kind: "summary",
    key: `summary:${turn.turn}`,
    turn: turn.turn,
    open,
    workedMs: turn.startedAt === null || turn.endedAt === null ? null : turn.endedAt - turn.startedAt,
    toolCalls: tools.length,
    files: [...new Set(tools.flatMap(filesOfTool))],
    failed: turn.reason?.kind === "error",
  };
}
