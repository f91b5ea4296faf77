import type { EventType, Message, SessionEvent, SessionEventOf } from "@gantry/contracts";
import { attachedTo } from "./attached.ts";
import { mergeRun, remainsOfDraft, toolKey } from "./drafts.ts";
import { foldAnswered, foldAsked } from "./fold-asks.ts";
import { dropOpenCompaction, foldCompactionEnd, foldCompactionStart, foldCompactionSummary } from "./fold-compaction.ts";
import { dropLogged, spliceInbox, textOf } from "./inbox.ts";
import { rowsOfMessage, settleTool } from "./message-rows.ts";
import type { ToolRow, TurnRow } from "./rows.ts";
import { addSpent } from "./spent.ts";
import { changeRows, currentTurn, type OpenTurn, openNewTurn, putRow, turnOf, type Work } from "./work.ts";

type Folds = { [T in EventType]: (work: Work, event: SessionEventOf<T>) => void };
const nothing = (): void => {};

/** What each kind of event does to the screen. A missing kind does not compile. */
const folds: Folds = {
  "turn/start": (work, { data, time }) => openNewTurn(work, data.turn, time),
  "turn/end": (work, { data, time, seq }) => {
    const turn = turnOf(work, data.turn);
    closeDrafts(work, turn);
    dropOpenCompaction(work);
    turn.rows = turn.rows.map((row) => (row.kind === "tool" && row.endedAt === null ? cutOff(row) : settleRetry(row)));
    turn.endedAt = time;
    turn.endSeq = seq;
    work.asks = [];
    turn.reason = data.reason;
    if (data.reason.kind !== "completed")
      turn.rows.push({ kind: "end", key: `end:${data.turn}`, turn: data.turn, reason: data.reason, time });
    work.settled = { turn: data.turn, step: Number.MAX_SAFE_INTEGER };
    work.inbox = { ...work.inbox, claimed: [] };
    work.own = null;
  },
  "step/start": (work, { data }) => {
    turnOf(work, data.turn);
    settleBefore(work, data);
  },
  "step/end": (work, { data }) => {
    closeDrafts(work, turnOf(work, data.turn));
    work.settled = { turn: data.turn, step: data.step };
    work.closedMessages = [];
  },
  "user/message": (work, { data, time, surfaceOp }) => {
    if (typeof surfaceOp === "object") return;
    work.inbox = dropLogged(work.inbox, data.id);
    meet(work, data);
    const row = { key: `message:${data.id}`, messageId: data.id, text: textOf(data) };
    const { source } = data;
    if (source.kind === "plugin")
      currentTurn(work).rows.push({ ...row, kind: "notice", plugin: source.plugin, summary: source.summary ?? null });
    else {
      const turn = currentTurn(work);
      const forkSeq = turn.rows.some(({ kind }) => kind === "prompt") ? null : turn.beforeSeq;
      turn.rows.push({
        ...row,
        ...attachedTo(data),
        kind: "prompt",
        author: source.kind === "user" ? (source.name ?? null) : null,
        time,
        forkSeq,
      });
    }
  },
  "assistant/chunk": (work, { data }) => {
    turnOf(work, data.turn);
    settleBefore(work, data);
    if (work.closedMessages.includes(data.messageId)) return;
    for (const run of data.runs) work.drafts = mergeRun(work.drafts, data, run, true);
  },
  "assistant/message": (work, { data, surfaceOp }) => {
    if (typeof surfaceOp === "object") return;
    const turn = turnOf(work, data.turn);
    turn.rows = turn.rows.map(settleRetry);
    turn.rows.push(...rowsOfMessage(data));
    closeMessage(work, data.message.id);
    const { source } = data.message;
    if (data.usage && source.kind === "model") addSpent(work, { ...source, usage: data.usage });
  },
  "tool/call": (work, { data, time }) => {
    const turn = turnOf(work, data.turn);
    const at = toolIndex(turn, toolKey(data.turn, data.step, data.callId));
    const row = turn.rows[at];
    if (row?.kind === "tool") turn.rows[at] = { ...row, state: "running", startedAt: time };
    else turn.rows.push(newTool(toolKey(data.turn, data.step, data.callId), data.callId, data.name, data.arguments, time));
  },
  "tool/result": (work, { data, time, surfaceOp }) => {
    const results = data.message.content.flatMap((block) =>
      block.type === "tool-result" ? [{ block, key: toolKey(data.turn, data.step, block.toolCallId) }] : [],
    );
    if (typeof surfaceOp === "object") {
      const keys = new Set(results.map(({ key }) => key));
      changeRows(work, (row) => (row.kind === "tool" && keys.has(row.key) && !row.pruned ? { ...row, pruned: true } : row));
      return;
    }
    const turn = turnOf(work, data.turn);
    for (const { block, key } of results) {
      const at = toolIndex(turn, key);
      const row = turn.rows[at];
      if (row?.kind === "tool") turn.rows[at] = settleTool(row, block, data, time);
      else turn.rows.push(settleTool(newTool(key, block.toolCallId, "tool", "", time), block, data, time));
    }
  },
  "request/header": (work, { data }) => {
    work.config = data.header.config;
  },
  "request/context": nothing,
  "fs/observed": nothing,
  "agent-preset/selected": (work, { data, seq }) => {
    const row = { kind: "preset", key: `preset:${seq}`, slug: data.slug, revision: data.revision } as const;
    work.preset = row;
    if (work.turns.at(-1)?.endedAt === null) currentTurn(work).rows.push(row);
    else work.between = [...work.between, row];
  },
  "permission/preset": (work, { data, seq }) => {
    const before = work.permission;
    work.permission = data.preset;
    // the first one is what the session began with
    if (before !== null && before !== data.preset) putRow(work, { kind: "permission", key: `permission:${seq}`, preset: data.preset });
  },
  "sandbox/mode": nothing,
  "approval/policy": nothing,
  "approval/asked": (work, { data, time }) => foldAsked(work, { kind: "approval", id: data.id, callId: data.callId, time }),
  "approval/decided": (work, { data, time }) => foldAnswered(work, data, time),
  "question/asked": (work, { data, time }) => foldAsked(work, { kind: "question", id: data.id, callId: data.callId, time }),
  "question/answered": (work, { data, time }) => foldAnswered(work, data, time),
  "command/run": (work, { data }) => {
    const { name, args = "" } = data;
    putRow(work, { kind: "command", key: `command:${data.commandId}`, name, args, state: "running", text: null });
  },
  "command/done": (work, { data }) => {
    const { kind: state, text = null } = data;
    changeRows(work, (row) => (row.kind === "command" && row.key === `command:${data.commandId}` ? { ...row, state, text } : row));
  },
  "feedback/record": nothing,
  "session/title-llm-request": nothing,
  "compaction/start": (work, { data }) => foldCompactionStart(work, data),
  "compaction/end": (work, { data }) => foldCompactionEnd(work, data),
  "compaction/summary": (work, { data }) => foldCompactionSummary(work, data),
  "compaction/prune": nothing,
  "agent/inbox/spliced": (work, { data }) => {
    for (const message of data.inserted) meet(work, message);
    work.inbox = spliceInbox(work.inbox, data);
  },
  "session/end-seed": dropOpenCompaction,
  "session/title": (work, { data }) => {
    work.title = data.title;
  },
  "todo/write": (work, { data }) => {
    work.todos = data.todos;
    const turn = currentTurn(work);
    const key = `todos:${turn.turn}`;
    const at = turn.rows.findIndex((row) => row.kind === "todos");
    if (at < 0) turn.rows.push({ kind: "todos", key, todos: data.todos });
    else turn.rows[at] = { kind: "todos", key, todos: data.todos };
  },
  "llm/retry": (work, { data, time }) => {
    const turn = turnOf(work, data.turn);
    for (const draft of work.drafts) closeMessage(work, draft.messageId);
    const { retryId, retry, failure } = data;
    const key = `retry:${retryId}`;
    const row: TurnRow = {
      kind: "retry",
      key,
      retry,
      maxRetries: data.maxRetries ?? null,
      failure,
      untilTime: time + data.delayMs,
      state: "waiting",
    };
    const at = turn.rows.findIndex((other) => other.key === key);
    if (at < 0) turn.rows.push(row);
    else turn.rows[at] = row;
  },
  "llm/retry-started": (work, { data }) => {
    const turn = turnOf(work, data.turn);
    const at = turn.rows.findIndex((row) => row.key === `retry:${data.retryId}`);
    const row = turn.rows[at];
    if (row?.kind === "retry") turn.rows[at] = { ...row, state: "sent" };
  },
};

/** Applies one event of the log to the state under work. */
export function foldEvent(work: Work, event: SessionEvent): void {
  (folds[event.type] as (work: Work, event: SessionEvent) => void)(work, event);
}

/** An open step means that every earlier one is over, also when its end is not loaded. */
function settleBefore(work: Work, { turn, step }: { turn: number; step: number }): void {
  const { settled } = work;
  if (settled.turn < turn || (settled.turn === turn && settled.step < step - 1)) work.settled = { turn, step: step - 1 };
}

function closeMessage(work: Work, messageId: string): void {
  work.drafts = work.drafts.filter((draft) => draft.messageId !== messageId);
  if (!work.closedMessages.includes(messageId)) work.closedMessages = [...work.closedMessages, messageId];
}

/** A draft whose message never came leaves what the log holds of it, and no more: the same after a reload. */
function closeDrafts(work: Work, turn: OpenTurn): void {
  for (const draft of work.drafts) turn.rows.push(...remainsOfDraft(draft));
  work.drafts = [];
}

const cutOff = (row: ToolRow): ToolRow => ({ ...row, state: "cut-off" });
const settleRetry = (row: TurnRow): TurnRow => (row.kind === "retry" && row.state !== "over" ? { ...row, state: "over" } : row);
const toolIndex = (turn: OpenTurn, key: string): number => turn.rows.findLastIndex((row) => row.key === key);

function newTool(key: string, callId: string, name: string, args: string, startedAt: number): ToolRow {
  return {
    kind: "tool",
    key,
    callId,
    name,
    arguments: args,
    state: "running",
    startedAt,
    endedAt: null,
    result: null,
    ask: null,
    pruned: false,
  };
}

/** Who wrote a message has a name from then on. */
function meet(work: Work, { source }: Message): void {
  if (source.kind !== "user" || !source.userId || !source.name || work.people[source.userId] === source.name) return;
  work.people = { ...work.people, [source.userId]: source.name };
}
