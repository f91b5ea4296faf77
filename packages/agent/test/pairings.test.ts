import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventDraft, EventType, SessionEvent } from "@gantry/contracts";
import { draft, logOf, testLog, userMessage } from "./support/log.ts";

const rejects = (run: () => unknown, message: RegExp = /./) => assert.throws(run, { code: "SESSION_REJECTED_EVENT", message });
const make = <T extends EventType>(type: T, data: Extract<EventDraft, { type: T }>["data"]) => ({ type, data }) as EventDraft;
const asked = (id: string) => make("approval/asked", { id, toolName: "bash" });
const decided = (id: string) => make("approval/decided", { id, outcome: "allowed-once" });
const run = (commandId: string) => make("command/run", { commandId, name: "compact" });
const done = (commandId: string, more: object = {}) => make("command/done", { commandId, kind: "success", ...more });
const start = (compactionId: string, turn: number | null) => make("compaction/start", { compactionId, turn });
const end = (compactionId: string, turn: number | null) => make("compaction/end", { compactionId, turn });
const summary = (compactionId: string, turn: number | null, range: { start: number; end: number }) =>
  make("compaction/summary", {
    ...{ compactionId, turn, shadowedRange: range, shadowedSeqs: [range.start], shadowedTokenCount: 1 },
    ...{ summary: "s", provider: "p", model: "m" },
  });
const summaryMessage = (ref: string, from: number, to: number, sources: number[]): EventDraft => ({
  type: "user/message",
  surfaceOp: { op: "replace", start: from, end: to },
  sourceEventSeqs: sources,
  data: { ...userMessage(`summary ${ref}`), source: { kind: "plugin", plugin: "compaction", ref } },
});

test("SES-16 an answer needs its open question, once; an id is asked once", () => {
  const { log } = testLog({ events: logOf(draft.turnStart(1), draft.stepStart(1, 1), asked("a")) });
  rejects(() => log.append(decided("b")), /answers nothing that is open/);
  rejects(() => log.append(asked("a")), /is there already/);
  assert.deepEqual([...log.open.approvals], ["a"]);
  log.append(decided("a"));
  rejects(() => log.append(decided("a")));
  rejects(() => log.append(asked("a")));
  log.append(make("question/asked", { id: "a", callId: "c", questions: [] }));
  rejects(() => log.append(make("question/answered", { id: "other", outcome: "dismissed" })));
  log.append(make("question/answered", { id: "a", outcome: "dismissed" }));
  assert.equal(log.open.questions.size, 0);
});

test("SES-16 a command ends once, between turns as well as in one; only a success points at an earlier event that is no command's (CMD-3)", () => {
  const { log } = testLog({ events: logOf(draft.title("t"), run("a")) });
  rejects(() => log.append(done("b")));
  rejects(() => log.append(done("a", { sourceEventSeq: 1 })), /no source/);
  rejects(() => log.append(done("a", { sourceEventSeq: 2 })), /no source/);
  rejects(() => log.append(done("a", { kind: "error", sourceEventSeq: 0 })), /only a success/);
  log.append(draft.turnStart(1));
  log.append(done("a", { sourceEventSeq: 0 }));
  rejects(() => log.append(run("a")));
});

test("SES-15a a bracket names the turn it stands in, and there is one at a time", () => {
  const { log } = testLog({ events: logOf(draft.turnStart(1)) });
  rejects(() => log.append(start("c", null)), /turn 1 is open/);
  log.append(start("c", 1));
  rejects(() => log.append(start("d", 1)), /still open/);
  rejects(() => log.append(end("d", 1)), /not open/);
  rejects(() => log.append(end("c", null)), /not open/);
  rejects(() => log.append(draft.turnEnd(1)), /does not end inside/);
  log.append(end("c", 1));
  log.append(draft.turnEnd(1));
  log.append(start("e", null));
  rejects(() => log.append(draft.turnStart(2)), /does not start inside/);
  log.append(end("e", null));
  log.append(draft.turnStart(2));
});

test("AG-023 a bracket whose writer died is closed by nobody and blocks nothing after the next pickup", () => {
  for (const turn of [1, null]) {
    const prefix = turn ? [draft.turnStart(1)] : [];
    const { log } = testLog({ events: logOf(...prefix, start("dead", turn)) });
    if (turn) log.append(make("turn/end", { turn, reason: { kind: "interrupted" } }));
    log.append(make("session/end-seed", {}));
    rejects(() => log.append(end("dead", turn)));
    log.append(start("next", null));
    log.append(end("next", null));
    assert.equal(log.open.compactionId, null);
  }
});

const history = () => logOf(draft.turnStart(1), draft.stepStart(1, 1), draft.user("a"), draft.user("b"), draft.stepEnd(1, 1));

test("SES-15a a summary takes the place of a history only inside its bracket and for the range on record", () => {
  const { log } = testLog({ events: history() });
  rejects(() => log.append(summaryMessage("c", 2, 2, [2])), /open compaction/);
  log.append(start("c", 1));
  rejects(() => log.append(summaryMessage("c", 2, 2, [2])), /open compaction/);
  log.append(summary("c", 1, { start: 2, end: 2 }));
  rejects(() => log.append(summaryMessage("d", 2, 2, [2])), /open compaction/);
  rejects(() => log.append(summaryMessage("c", 2, 3, [2, 3])), /open compaction/);
  log.append(summaryMessage("c", 2, 2, [2, 5, 6]));
  log.append(end("c", 1));
  assert.deepEqual(
    log.surface.messages().map(({ id }) => id),
    ["summary c", "b"],
  );
});

test("SES-8 a pruned result takes the place of one result and differs in its text only; between turns none is pruned", () => {
  const drafts = [
    draft.turnStart(1),
    draft.stepStart(1, 1),
    draft.assistant(1, 1, [
      { id: "c1", name: "bash" },
      { id: "c2", name: "bash" },
    ]),
    draft.call(1, 1, "c1"),
    draft.call(1, 1, "c2"),
    draft.result(1, 1, "c1"),
    draft.result(1, 1, "c2"),
    draft.stepEnd(1, 1),
  ];
  const { log } = testLog({ events: logOf(...drafts) });
  const original = log.events[5] as Extract<SessionEvent, { type: "tool/result" }>;
  const pruned = (change: (data: typeof original.data) => unknown, range = { start: 5, end: 5 }, sources = [5]) =>
    log.append({
      type: "tool/result",
      surfaceOp: { op: "replace", ...range },
      sourceEventSeqs: sources,
      data: change(structuredClone(original.data)) as typeof original.data,
    });
  const withBlock = (change: object) => (data: typeof original.data) => {
    Object.assign(data.message.content[0] as object, change);
    return data;
  };
  const text = { content: [{ type: "text", text: "short" }] };
  rejects(() => pruned(withBlock({ ...text, isError: true })), /text only/);
  rejects(() => pruned(withBlock({ ...text, toolCallId: "c2" })), /text only/);
  rejects(() => pruned((data) => ({ ...data, meta: { a: 1 } })), /text only/);
  rejects(() => pruned((data) => ({ ...data, error: { name: "E", code: "E" } })), /text only/);
  rejects(() => pruned(withBlock(text), { start: 5, end: 6 }, [5, 6]), /exactly one/);
  rejects(() => pruned(withBlock(text), { start: 2, end: 2 }, [2]), /exactly one/);
  pruned(withBlock(text));
  assert.equal(log.surface.replaceGeneration, 1);
  log.append(draft.turnEnd(1));
  rejects(() => pruned(withBlock(text), { start: 8, end: 8 }, [8]), /open turn/);
});
