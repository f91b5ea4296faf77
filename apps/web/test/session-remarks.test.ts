import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventDraft } from "@gantry/contracts";
import { isSentAway, isWorking } from "../src/features/session/model/activity.ts";
import { listRows } from "../src/features/session/model/list-rows.ts";
import { sessionReducer } from "../src/features/session/model/reducer.ts";
import { answer, call, logOf, read, result, rowsOf, say, stepEnd, stepStart, turnEnd, turnStart } from "./event-log.ts";

const turn = (number: number): EventDraft[] => [
  turnStart(number),
  stepStart(number),
  say(`m${number}`, `prompt ${number}`),
  answer(number, `answer ${number}`),
  stepEnd(number),
  turnEnd(number),
];
const bracket = { compactionId: "k1", sourceCommandId: "cmd", turn: null };
const shadowed = { shadowedRange: { start: 0, end: 3 }, shadowedSeqs: [2, 3], shadowedTokenCount: 5_000 };
const started: EventDraft[] = [
  { type: "command/run", data: { commandId: "cmd", name: "compact", userId: "user-ada" } },
  { type: "compaction/start", data: bracket },
];
const summary: EventDraft = {
  type: "compaction/summary",
  data: { ...bracket, ...shadowed, summary: "What was.", provider: "p", model: "m", usage: { inputTokens: 7, outputTokens: 3 } },
};
const compacted: EventDraft[] = [
  ...started,
  summary,
  {
    type: "user/message",
    data: {
      id: "s1",
      role: "user",
      content: [{ type: "text", text: "What was." }],
      source: { kind: "plugin", plugin: "compaction", ref: "k1" },
    },
    surfaceOp: { op: "replace", start: 0, end: 3 },
  },
  { type: "compaction/end", data: bracket },
  { type: "command/done", data: { commandId: "cmd", kind: "success", text: "Summed up 2 items." } },
];
const kinds = (events: ReturnType<typeof logOf>) => rowsOf(read(events)).map(({ kind }) => kind);

test("/compact between turns opens no turn, stands behind the last one, and hides nothing from people", () => {
  const events = logOf(...turn(1), ...compacted, ...turn(2));
  assert.equal(isWorking(read(events.slice(0, -6))), false);
  assert.deepEqual(kinds(events), ["prompt", "text", "footer", "command", "compaction", "prompt", "text", "footer"]);
  const rows = rowsOf(read(events));
  assert.ok(rows.some((row) => row.kind === "text" && row.text === "answer 1"));
  const marker = rows.find((row) => row.kind === "compaction");
  assert.deepEqual(marker, { kind: "compaction", key: "compaction:k1", state: "done", summary: "What was.", tokens: 5_000, error: null });
  assert.ok(rows.some((row) => row.kind === "command" && row.state === "success" && row.text === "Summed up 2 items."));
});

test("a summary that failed or whose bracket nobody closed says so", () => {
  const failed: EventDraft = { type: "compaction/end", data: { ...bracket, error: "summary: too long" } };
  const seed: EventDraft = { type: "session/end-seed", data: {} };
  for (const [end, error] of [
    [failed, "summary: too long"],
    [seed, null],
  ] as const) {
    const row = rowsOf(read(logOf(...turn(1), ...started, end))).find(({ kind }) => kind === "compaction");
    assert.ok(row?.kind === "compaction");
    assert.deepEqual([row.state, row.error], ["failed", error]);
  }
});

test("the rows are the same however the log is cut into batches, and read backwards in pages", () => {
  const events = logOf(...turn(1), ...compacted, ...turn(2), ...turn(3));
  const whole = rowsOf(read(events));
  for (let cut = 1; cut < events.length; cut++) {
    assert.deepEqual(rowsOf(read(events.slice(cut), read(events.slice(0, cut)))), whole, `cut at ${cut}`);
    const paged = sessionReducer(read(events.slice(cut)), { type: "older", events: events.slice(0, cut) });
    assert.deepEqual(rowsOf(paged), whole, `page before ${cut}`);
  }
});

test("a settled turn ends with its tokens by model, its answer, and where a fork goes on", () => {
  const rows = listRows(read(logOf(...turn(1), ...turn(2))), new Set());
  const footers = rows.filter((row) => row.kind === "footer");
  assert.deepEqual(
    footers.map(({ forkSeq, answer: said }) => ({ forkSeq, said })),
    [
      { forkSeq: 5, said: { messageId: "answer-1.1", text: "answer 1" } },
      { forkSeq: 11, said: { messageId: "answer-2.1", text: "answer 2" } },
    ],
  );
  const [spent] = footers[0]?.spent ?? [];
  assert.deepEqual([spent?.model, spent?.inputTokens, spent?.cacheReadTokens, spent?.requests], ["claude-haiku-4-5", 100, 900, 1]);
  const prompts = rows.flatMap((row) => (row.kind === "prompt" ? [row.forkSeq] : []));
  assert.deepEqual(prompts, [null, 5], "before the first prompt there is nothing to fork");
});

test("a pruned result keeps its text for people and says what the model sees", () => {
  const first = [
    turnStart(1),
    stepStart(1),
    say("m", "go"),
    answer(1, "", [{ id: "c", name: "bash", arguments: "{}" }]),
    call(1, "c", "ls"),
  ];
  const pruned: EventDraft = { ...result(1, "c", "head … tail"), surfaceOp: { op: "replace", start: 5, end: 5 } };
  const rows = rowsOf(read(logOf(...first, result(1, "c", "all of it"), stepEnd(1), turnEnd(1), pruned)));
  const tool = rows.find((row) => row.kind === "tool");
  assert.ok(tool?.kind === "tool");
  assert.deepEqual([tool.pruned, tool.result?.text], [true, "all of it"]);
});

test("only a change of the permissions is told, not those that a session begins with", () => {
  const preset = (name: string): EventDraft => ({ type: "permission/preset", data: { preset: name } });
  const events = logOf(preset("workspace-write"), ...turn(1), preset("read-only"), ...turn(2));
  assert.deepEqual(kinds(events), ["prompt", "text", "footer", "permission", "prompt", "text", "footer"]);
  assert.equal(read(events).permission, "read-only");
});

test("that a turn goes on after a cut stays in view when its work folds", () => {
  const notice: EventDraft = {
    type: "user/message",
    data: {
      id: "n",
      role: "user",
      content: [{ type: "text", text: "Go on." }],
      source: { kind: "plugin", plugin: "recovery", form: "notice", summary: "Continued after an interruption" },
    },
    surfaceOp: "append",
  };
  const cut: EventDraft = { type: "turn/end", data: { turn: 1, reason: { kind: "interrupted" } } };
  const work = [answer(2, "", [{ id: "c", name: "bash", arguments: "{}" }]), call(2, "c", "ls"), result(2, "c", "out")];
  const rows = [...turn(1).slice(0, -1), cut, turnStart(2), stepStart(2), notice, ...work, stepEnd(2), ...turn(2).slice(3)];
  assert.deepEqual(
    listRows(read(logOf(...rows)), new Set()).map(({ kind }) => kind),
    ["prompt", "text", "end", "footer", "notice", "summary", "text", "footer"],
  );
});

test("notes to the agent that follow each other are one line with all their words; one that says why the agent goes on stands alone", () => {
  const note = (id: string, plugin: string, summary: string): EventDraft => ({
    type: "user/message",
    data: { id, role: "user", content: [{ type: "text", text: `text of ${id}` }], source: { kind: "plugin", plugin, summary } },
    surfaceOp: "append",
  });
  const notes = [note("n1", "facts", "facts"), note("n2", "time", "time"), note("n3", "recovery", "goes on")];
  const rows = rowsOf(read(logOf(turnStart(1), stepStart(1), say("m1", "go"), ...notes)));
  assert.deepEqual(
    rows.flatMap((row) => (row.kind === "notice" ? [[row.summary, row.text]] : [])),
    [
      ["facts · time", "text of n1\n\ntext of n2"],
      ["goes on", "text of n3"],
    ],
  );
});

test("CP-56 a turn that the provider sent away is known by its end, until another ends", () => {
  const error = { code: "RATE_LIMIT", message: "slow down", providerRetryAfterMs: 3_600_000 };
  const sentAway = [...turn(1).slice(0, -1), { type: "turn/end", data: { turn: 1, reason: { kind: "error", error } } } as const];
  assert.ok(isSentAway(read(logOf(...sentAway))));
  assert.ok(!isSentAway(read(logOf(...sentAway, ...turn(2)))));
  assert.ok(!isSentAway(read(logOf())));
});
