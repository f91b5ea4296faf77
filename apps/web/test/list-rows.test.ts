import assert from "node:assert/strict";
import { test } from "node:test";
import { listRows } from "../src/features/session/model/list-rows.ts";
import { sessionReducer } from "../src/features/session/model/reducer.ts";
import { emptySession, type SessionState } from "../src/features/session/model/state.ts";
import { batchOf, eventsOf, scriptedFrames, seeded } from "./log-fixture.ts";

const load = (upTo?: number): { state: SessionState; frames: ReturnType<typeof scriptedFrames> } => {
  const frames = scriptedFrames(4, seeded(4));
  const events = eventsOf(frames);
  return { frames, state: sessionReducer(emptySession, { type: "batch", batch: { events: events.slice(0, upTo), deltas: [] } }) };
};

test("a settled turn is its prompt, one line for the work, and the answer; opened, it shows the work", () => {
  const { state } = load();
  const turn = state.turns.find((one) => one.rows.some((row) => row.kind === "tool") && one.reason?.kind === "completed");
  assert.ok(turn);
  const only = { ...state, turns: [turn] };
  const kinds = listRows(only, new Set()).map((row) => row.kind);
  assert.deepEqual(kinds, ["prompt", "summary", "text", "footer"]);
  const open = listRows(only, new Set([turn.turn]));
  assert.ok(open.some((row) => row.kind === "tool"));
  assert.ok(open.some((row) => row.kind === "reasoning"));
});

test("the line for the work counts every call and the time from start to end", () => {
  const { state } = load();
  for (const row of listRows(state, new Set())) {
    if (row.kind !== "summary") continue;
    const turn = state.turns.find((one) => one.turn === row.turn);
    assert.equal(row.toolCalls, turn?.rows.filter((one) => one.kind === "tool").length);
    assert.equal(row.workedMs, (turn?.endedAt ?? 0) - (turn?.startedAt ?? 0));
  }
});

test("a delta makes one new row object; all others stay the same objects", () => {
  const { frames } = load();
  const cut = frames.findLastIndex((frame) => "delta" in frame && frame.delta.run.block === "text");
  const before = sessionReducer(emptySession, { type: "batch", batch: batchOf(frames.slice(0, cut)) });
  const after = sessionReducer(before, { type: "batch", batch: batchOf(frames.slice(cut, cut + 1)) });
  const [old, now] = [listRows(before, new Set()), listRows(after, new Set())];
  assert.equal(now.length, old.length);
  assert.equal(now.filter((row, at) => row !== old[at]).length, 1);
});

test("an undelivered half of a tool call goes when the turn is cut, and its row says so when the log has it", () => {
  const { state } = load();
  for (const turn of state.turns)
    if (turn.endedAt !== null)
      for (const row of turn.rows) if (row.kind === "tool") assert.ok(row.endedAt !== null || row.state === "cut-off");
});
