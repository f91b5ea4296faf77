import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventData, EventDraft } from "@gantry/contracts";
import { activityOf, isParked } from "../src/features/session/model/activity.ts";
import type { ToolRow } from "../src/features/session/model/rows.ts";
import type { SessionState } from "../src/features/session/model/state.ts";
import { answer, call, logOf, read, result, rowsOf, say, stepEnd, stepStart, turnEnd, turnStart } from "./event-log.ts";

const asked: EventDraft = { type: "approval/asked", data: { id: "ask-1", toolName: "bash", callId: "c1", reason: "network" } };
const decided = (outcome: "allowed-once" | "rejected" | "cancelled"): EventDraft => ({
  type: "approval/decided",
  data: { id: "ask-1", outcome, ...(outcome !== "cancelled" && { by: "user-ada" }) },
});
const open = [
  turnStart(1),
  stepStart(1),
  say("m1", "go"),
  answer(1, "I try.", [{ id: "c1", name: "bash", arguments: '{"command":"curl x"}' }]),
  call(1, "c1", "curl x"),
  asked,
];
const toolOf = (state: SessionState) => rowsOf(state).find((row): row is ToolRow => row.kind === "tool");

test("a call that asks a person waits, and so does the session, whatever a worker said before it let go of it", () => {
  const state = { ...read(logOf(...open)), activity: { kind: "running-tool", since: 1, callId: "c1", name: "bash", label: "x" } as const };
  assert.equal(toolOf(state)?.state, "waiting");
  assert.deepEqual(state.asks, [{ id: "ask-1", kind: "approval", since: 1_005_000 }]);
  assert.deepEqual(activityOf(state), { kind: "waiting-person", since: 1_005_000 });
  assert.equal(activityOf({ ...state, activity: { kind: "stopping", since: 2 } }).kind, "stopping");
});

test("an answer lets the call run; its time begins there, and its row keeps who decided", () => {
  const state = read(logOf(...open, decided("allowed-once")));
  assert.deepEqual(state.asks, []);
  assert.deepEqual(state.answered, { id: "ask-1", outcome: "allowed-once", by: "user-ada" });
  const row = toolOf(state);
  assert.equal(row?.state, "running");
  assert.equal(row?.startedAt, 1_006_000);
  const done = toolOf(read(logOf(...open, decided("allowed-once"), result(1, "c1", "ok"), stepEnd(1), turnEnd(1))));
  assert.deepEqual([done?.state, done?.ask?.outcome, done?.ask?.by], ["done", "allowed-once", "user-ada"]);
  assert.equal(state.people["user-ada"], "Ada");
});

test("the end of the turn takes every open question back, also one whose call is not loaded", () => {
  assert.deepEqual(read(logOf(...open, turnEnd(1))).asks, []);
  const tail = logOf(...open).slice(-1);
  const state = read(tail);
  assert.equal(state.asks.length, 1);
  assert.equal(activityOf(state).kind, "waiting-person");
  assert.equal(toolOf(state), undefined);
});

test("however the log arrives, an asked and answered call ends as the same row", () => {
  const events = logOf(...open, decided("rejected"), result(1, "c1", "denied"), stepEnd(1), turnEnd(1));
  const whole = rowsOf(read(events));
  for (let cut = 1; cut < events.length; cut++)
    assert.deepEqual(rowsOf(read(events.slice(cut), read(events.slice(0, cut)))), whole, `cut at ${cut}`);
});

test("questions wait like approvals, and may be dismissed", () => {
  const questions = [{ id: "q", header: "", question: "Which?", options: [] }];
  const ask: EventDraft = { type: "question/asked", data: { id: "ask-1", callId: "c1", questions } };
  const state = read(logOf(...open.slice(0, -1), ask));
  assert.deepEqual([state.asks[0]?.kind, toolOf(state)?.state], ["question", "waiting"]);
  const answered = read(logOf(...open.slice(0, -1), ask, { type: "question/answered", data: { id: "ask-1", outcome: "dismissed" } }));
  assert.deepEqual([answered.asks, toolOf(answered)?.ask?.outcome], [[], "dismissed"]);
});

test("LOP-5 what waits after a stop or a failure waits for a person; after an answer or an interruption it is taken up", () => {
  const waiting: EventDraft = {
    type: "agent/inbox/spliced",
    data: {
      target: "next-turn",
      start: 0,
      inserted: [{ id: "later", role: "user", content: [{ type: "text", text: "later" }], source: { kind: "user", name: "Ada" } }],
    },
  };
  const after = (reason: EventData<"turn/end">["reason"], ...more: EventDraft[]) =>
    isParked(read(logOf(turnStart(1), say("m1", "go"), { type: "turn/end", data: { turn: 1, reason } }, ...more)));
  assert.equal(after({ kind: "aborted", reason: "user" }, waiting), true);
  assert.equal(after({ kind: "error", error: { message: "no", code: "AUTH" } }, waiting), true);
  assert.equal(after({ kind: "completed" }, waiting), false);
  assert.equal(after({ kind: "interrupted" }, waiting), false);
  assert.equal(after({ kind: "aborted", reason: "user" }), false);
  assert.equal(after({ kind: "aborted", reason: "user" }, waiting, turnStart(2)), false);
});

test("F20 the pause before a retry is told with its end, whatever the worker said before it", () => {
  const retry: EventDraft = {
    type: "llm/retry",
    data: {
      turn: 1,
      step: 1,
      retryId: "r1",
      provider: "p",
      retry: 2,
      maxRetries: 5,
      delayMs: 4_000,
      failure: { message: "slow down", code: "RATE_LIMIT", status: 429 },
    },
  };
  const waiting = read(logOf(turnStart(1), stepStart(1), say("m1", "go"), retry));
  const told = { ...waiting, activity: { kind: "waiting-model", since: 1 } as const };
  assert.deepEqual(activityOf(told), { kind: "retrying", since: 1_000_000, retry: 2, maxRetries: 5, untilTime: 1_007_000 });
  const sent: EventDraft = { type: "llm/retry-started", data: { turn: 1, step: 1, retryId: "r1", retry: 2 } };
  assert.equal(
    activityOf({ ...read(logOf(turnStart(1), stepStart(1), say("m1", "go"), retry, sent)), activity: told.activity }).kind,
    "waiting-model",
  );
});
