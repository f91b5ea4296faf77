import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type EventDraft, foldUnits, listCost, openProjection, pruneChunk, type SessionEvent, sessionUnits } from "@gantry/contracts";
import {
  answers,
  buildLog,
  calls,
  event,
  results,
  says,
  stepEnd,
  stepStart,
  streams,
  turnEnd,
  turnStart,
} from "@gantry/testing/log-builder";
import { defineUnit } from "../src/projections/unit.ts";

const usage = { inputTokens: 100, outputTokens: 50, cacheReadTokens: 900, reasoningTokens: 20 };
const fold = (log: readonly SessionEvent[]) => foldUnits(sessionUnits, log).values;

/** One turn: 30 ms to the first text, 70 more to the message, two calls side by side for 40 and 60 ms. */
const oneTurn = buildLog(
  ...[turnStart(), stepStart(), says("fix  the\nlogin"), 30, streams(""), streams("do"), 70, answers(usage)],
  ...[calls("a"), calls("b"), 40, results("a"), 20, results("b"), stepEnd(), turnEnd()],
);

describe("statistics", () => {
  test("PRJ-3 times and counts of a turn; parallel calls count each, an empty delta is no first text", () => {
    const expected = { turns: 1, steps: 1, llmMs: 100, ttftMs: 30, ttftSteps: 1, decodeMs: 70, decodeTokens: 50, toolMs: 100 };
    assert.deepEqual(fold(oneTurn).sessionStats, expected);
  });

  test("PRJ-3 a clock that was set back takes no time off: what ends before it began counts nothing", () => {
    const turned = fold(oneTurn.map((item) => ({ ...item, time: -item.time }))).sessionStats;
    assert.deepEqual([turned?.llmMs, turned?.ttftMs, turned?.decodeMs, turned?.toolMs], [0, 0, 0, 0]);
    assert.deepEqual([turned?.turns, turned?.steps, turned?.ttftSteps], [1, 1, 1]);
  });

  test("PRJ-3 every key is there before anything happened", () => {
    const none = { turns: 0, steps: 0, llmMs: 0, ttftMs: 0, ttftSteps: 0, decodeMs: 0, decodeTokens: 0, toolMs: 0 };
    assert.deepEqual(foldUnits(sessionUnits, []), { asOfSeq: -1, values: { ...fold([]), sessionStats: none } });
  });

  test("AG-028 a turn that is rejected before its first step does not count", () => {
    const log = buildLog(turnStart(1), turnEnd(1, { kind: "blocked" }), turnStart(2), stepStart(2), answers(), stepEnd(2), turnEnd(2));
    assert.equal(fold(log).sessionStats?.turns, 1);
    assert.equal(fold(log).turnOutline?.length, 2);
  });

  test("PRJ-3 a step that was cut off counts untimed; a call without a result is dropped with its turn", () => {
    const log = buildLog(
      turnStart(),
      stepStart(),
      5,
      streams("x"),
      5,
      answers(usage, { interrupted: true }),
      calls("a"),
      9,
      stepEnd(),
      turnEnd(),
    );
    const { steps, llmMs, ttftSteps, toolMs } = fold(log).sessionStats ?? {};
    assert.deepEqual([steps, llmMs, ttftSteps, toolMs], [1, 0, 0, 0]);
    const late = fold([...log, ...buildLog(...Array(log.length).fill(turnStart()), results("a")).slice(-1)]);
    assert.equal(late.sessionStats?.toolMs, 0);
  });

  test("PRJ-3 a call that never started has no time, whatever the model named it", () => {
    const log = buildLog(turnStart(), stepStart(), answers(), 7, results("constructor"), results("__proto__"), stepEnd(), turnEnd());
    assert.equal(fold(log).sessionStats?.toolMs, 0);
  });

  test("PRJ-3 the first text of a step stays the first when the attempt is repeated", () => {
    const failure = { message: "busy", code: "RATE_LIMITED" };
    const retry = event("llm/retry", { turn: 1, step: 1, retryId: "r", provider: "p", retry: 1, delayMs: 5, failure });
    const log = buildLog(turnStart(), stepStart(), 10, streams("a"), retry, 50, streams("b"), 40, answers(usage), stepEnd());
    assert.equal(fold(log).sessionStats?.ttftMs, 10);
    assert.equal(fold(log).sessionStats?.llmMs, 100);
  });

  test("SES-33 a pruned delta still says when the first text came", () => {
    const pruned = oneTurn.map((item) => (item.type === "assistant/chunk" ? { ...item, data: pruneChunk(item.data) } : item));
    assert.deepEqual(fold(pruned), fold(oneTurn));
  });
});

test("PRJ-4 the outline has one entry a turn, with the first words of a person", () => {
  const log = buildLog(
    ...[turnStart(), stepStart(), says("injected", { kind: "plugin", plugin: "time" }), says(`${"🙂".repeat(300)}`), says("second")],
    ...[answers(), calls("a"), results("a"), stepEnd(), stepStart(1, 2), stepEnd(1, 2), turnEnd(), turnStart(2)],
  );
  const [first, second] = fold(log).turnOutline ?? [];
  assert.equal(first?.prompt, "🙂".repeat(200));
  assert.deepEqual([first?.steps, first?.toolCalls, first?.endReason, first?.startSeq, first?.endSeq], [2, 1, "completed", 0, 11]);
  assert.deepEqual([second?.turn, second?.prompt, second?.endSeq, second?.endReason], [2, null, null, null]);
});

describe("tokens", () => {
  test("PRJ-5 usage is kept by model, through compactions and failed requests, and replaced messages do not count again", () => {
    const summary = event("compaction/summary", {
      ...{ compactionId: "c", turn: null, summary: "s", provider: "p", model: "small", usage: { inputTokens: 7, outputTokens: 3 } },
      ...{ shadowedRange: { start: 2, end: 2 }, shadowedSeqs: [2], shadowedTokenCount: 1 },
    });
    const again = { ...answers(usage), surfaceOp: { op: "replace", start: 2, end: 2 } as const };
    const failed = turnEnd(1, { kind: "error", error: { message: "down", code: "SERVER" } });
    const log = buildLog(turnStart(), stepStart(), answers(usage), answers(usage), summary, again, stepEnd(), failed);
    const rows = fold(log).tokenUsage ?? [];
    assert.deepEqual(
      rows.map((row) => [row.model, row.requests, row.inputTokens, row.cacheReadTokens, row.outputTokens, row.reasoningTokens]),
      [
        ["deepseek-chat", 2, 200, 1800, 100, 40],
        ["small", 1, 7, 0, 3, 0],
      ],
    );
    const expected = (200 * 0.28 + 1800 * 0.028 + 100 * 0.42) / 1e6;
    assert.equal(rows[0] && listCost(rows[0])?.toFixed(12), expected.toFixed(12));
    assert.equal(rows[1] && listCost(rows[1]), null, "an unknown model has no price");
  });

  test("SES-24 a fork pays for its own requests only", () => {
    const log = buildLog(
      turnStart(),
      stepStart(),
      answers(usage),
      stepEnd(),
      turnEnd(),
      event("session/end-seed", {}),
      turnStart(2),
      stepStart(2),
      answers(usage),
    );
    const { values } = foldUnits(sessionUnits, log, { seedLength: 5 });
    assert.equal(values.tokenUsage?.[0]?.requests, 1);
    assert.equal(values.turnOutline?.length, 2, "its outline shows the whole conversation");
  });

  test("PRJ-5 the context is unknown until it was measured, never zero", () => {
    assert.deepEqual(fold([]).contextPressure, { promptTokens: null, contextWindow: null });
    const context = event("request/context", { provider: "p", model: "m", contextWindow: 64_000 });
    const log = buildLog(turnStart(), stepStart(), context, answers(usage), answers({ inputTokens: 0, outputTokens: 0 }));
    assert.deepEqual(fold(log).contextPressure, { promptTokens: 1_000, contextWindow: 64_000 });
  });
});

test("PRJ-5 todos, title, permissions and preset are their last word", () => {
  const list = [{ content: "a", status: "pending" } as const];
  const named = (text: string, kind: "fallback" | "user") => event("session/title", { title: text, messageSeqs: [], source: { kind } });
  const log = buildLog(
    ...[
      turnStart(),
      event("todo/write", { todos: [] }),
      event("todo/write", { todos: list }),
      turnEnd(),
      named("a", "fallback"),
      named("b", "user"),
    ],
    ...[event("sandbox/mode", { mode: "read-only" }), event("approval/policy", { policy: "ask" })],
  );
  const values = fold(log);
  assert.deepEqual(values.todos, list);
  assert.deepEqual(values.title, { title: "b", source: "user" });
  assert.deepEqual(values.permissions, { mode: "read-only", policy: "ask", preset: null });
  assert.equal(fold([...log, ...buildLog(...Array(8).fill(turnStart()), turnStart(2)).slice(-1)]).todos, null);
});

describe("the runner", () => {
  const counter = defineUnit<number, number>({
    key: "counter",
    init: 0,
    apply: (count, { type }) => (type === "turn/start" ? count + 1 : count),
    view: (count) => count,
  });
  const broken = defineUnit<number, number>({
    ...counter,
    key: "broken",
    apply() {
      throw new Error("no");
    },
  });

  test("AG-027 an event that changes nothing makes no frame", () => {
    const projection = openProjection({ counter });
    const [first, second] = buildLog(turnStart(), turnEnd());
    assert.deepEqual(first && projection.apply(first), { seq: 0, keys: ["counter"] });
    assert.equal(second && projection.apply(second), null);
    assert.equal(projection.asOfSeq, 1);
    assert.equal(first && projection.apply(first), null, "an event that was read counts once");
    assert.equal(projection.snapshot().values.counter, 1);
  });

  test("PRJ-2 a unit that throws is null and takes no other one with it", () => {
    const { asOfSeq, values } = foldUnits({ broken, counter }, buildLog(turnStart(), turnEnd(), turnStart(2)));
    assert.deepEqual({ asOfSeq, ...values }, { asOfSeq: 2, broken: null, counter: 2 });
  });

  test("PRJ-1 a log read in pieces gives what it gives in one go, and earlier values stay as they were", () => {
    const projection = openProjection(sessionUnits);
    const snapshots = oneTurn.map((item) => {
      projection.apply(item);
      return structuredClone(projection.snapshot());
    });
    for (const [index, snapshot] of snapshots.entries()) assert.deepEqual(snapshot, foldUnits(sessionUnits, oneTurn.slice(0, index + 1)));
  });
});

describe("what the next request is made of", () => {
  const tools = [{ name: "t", description: "d", parameters: {} }];
  const config = { provider: "p", model: "m" };
  const header = event("request/header", { header: { config, system: "x".repeat(40), tools }, reason: "initial" });
  const breakdown = (...parts: EventDraft[]) => fold(buildLog(turnStart(), stepStart(), ...parts)).contextBreakdown;

  test("PRJ-5 nothing before the first request, then each part by rule of thumb (TOK-1)", () => {
    assert.equal(breakdown(says("hello")), null);
    assert.deepEqual(breakdown(says("x".repeat(40)), header), {
      system: 14,
      tools: Math.ceil(JSON.stringify(tools).length / 4 + 4),
      messages: 18,
    });
  });

  test("PRJ-5 what a summary took the place of is no part of it, and the rest stays", () => {
    const summary = { ...says("short"), surfaceOp: { op: "replace", start: 2, end: 3 } as const, sourceEventSeqs: [2, 3] };
    const [whole, less] = [[], [summary]].map((more) =>
      breakdown(says("x".repeat(400)), says("y".repeat(400)), says("z"), header, ...more),
    );
    const saved = (whole?.messages ?? 0) - (less?.messages ?? 0);
    assert.equal(saved, 2 * 108 - 10);
  });
});
