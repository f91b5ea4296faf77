import { draftRows } from "./drafts.ts";
import { filesOfTool } from "./present.ts";
import type { FooterRow, MoreRow, NoticeRow, Row, SummaryRow, ToolRow, ToolState, TurnRow } from "./rows.ts";
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
  const known = kept.get(turn) ?? joinNotices(turn.endedAt === null ? liveRows(turn, isOpen) : endedRows(turn, isOpen)).flatMap(inParts);
  kept.set(turn, known);
  const drafts = state.drafts.filter((draft) => draft.turn === turn.turn);
  return drafts.length === 0 ? known : [...known, ...drafts.flatMap(draftRows).filter(isShown).flatMap(inParts)];
}

/** A settled turn, what it took, and what came after it. */
function endedRows(turn: Turn, isOpen: boolean): Row[] {
  const rows = settledRows(turn, isOpen);
  const footer = footerOf(turn, rows);
  return [...rows, ...(footer ? [footer] : []), ...turn.after];
}

/** Remarks on the session itself: they are no work of the turn, and stay where they are. */
const remarks: ReadonlySet<Row["kind"]> = new Set(["preset", "permission", "command", "compaction", "end"]);
const isContinuation = (row: Row): boolean => row.kind === "notice" && row.plugin === "recovery";

/** Prompts, one line for the work, the final answer, and how it ended if it did not simply complete. */
function settledRows(turn: Turn, isOpen: boolean): Row[] {
  const rows = turn.rows.filter(isShown);
  const answerAt = rows.findLastIndex((row) => row.kind !== "text" && !remarks.has(row.kind)) + 1;
  const isWork = (row: TurnRow, at: number) => row.kind !== "prompt" && !remarks.has(row.kind) && !isContinuation(row) && at < answerAt;
  if (!rows.some(isWork)) return rows;
  const summary = summaryOf(turn, isOpen);
  const firstWork = rows.findIndex(isWork);
  const before = rows.slice(0, firstWork);
  const after = rows.slice(firstWork).filter((row, at) => isOpen || !isWork(row, at + firstWork));
  return [...before, summary, ...after];
}

function footerOf(turn: Turn, rows: readonly Row[]): FooterRow | null {
  const last = rows.findLast((row) => row.kind === "text");
  const texts = rows.filter((row) => row.kind === "text" && row.messageId === last?.messageId);
  const text = texts.map((row) => (row.kind === "text" ? row.text : "")).join("\n\n");
  const answer = last?.kind === "text" ? { messageId: last.messageId, text } : null;
  if (!answer && turn.spent.length === 0) return null;
  const isSaid = rows.some(({ kind }) => kind === "summary");
  const workedMs = isSaid ? null : workedMsOf(turn);
  return { kind: "footer", key: `footer:${turn.turn}`, workedMs, spent: turn.spent, answer, forkSeq: turn.endSeq };
}

const workedMsOf = ({ startedAt, endedAt }: Turn): number | null => (startedAt === null || endedAt === null ? null : endedAt - startedAt);

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

/** Notes that follow each other are one line: most turns begin with several. */
function joinNotices(rows: readonly Row[]): Row[] {
  const joined: Row[] = [];
  for (const row of rows) {
    const last = joined.at(-1);
    if (row.kind !== "notice" || last?.kind !== "notice" || isContinuation(row) || isContinuation(last)) joined.push(row);
    else joined[joined.length - 1] = { ...last, summary: `${nameOf(last)} · ${nameOf(row)}`, text: `${last.text}\n\n${row.text}` };
  }
  return joined;
}
const nameOf = ({ summary, plugin }: NoticeRow): string => summary ?? plugin;

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
    workedMs: workedMsOf(turn),
    toolCalls: tools.length,
    files: [...new Set(tools.flatMap(filesOfTool))],
    failed: turn.reason?.kind === "error",
  };
}
