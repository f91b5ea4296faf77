import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionEvent } from "@gantry/contracts";
import { selectRange } from "../src/compaction/range.ts";
import { Surface } from "../src/session/surface.ts";
import { history, toolHistory } from "./support/compaction.ts";
import { draft, logOf } from "./support/log.ts";

function nodesOf(events: readonly SessionEvent[]) {
  const surface = new Surface();
  for (const event of events) surface.commit(event);
  return surface.nodes;
}
const select = (events: readonly SessionEvent[], retainTokens = 0, openStepSeq: number | null = null) =>
  selectRange(nodesOf(events), { retainTokens, openStepSeq })?.map(({ seq }) => seq) ?? null;
const seqs = (events: readonly SessionEvent[]) => nodesOf(events).map(({ seq }) => seq);

test("CMP-5 the tail keeps the newest node, and grows until it holds what is to stay", () => {
  const events = history({ steps: 3, chars: 392 }); // about 110 tokens a node
  assert.deepEqual(select(events), seqs(events).slice(0, 5));
  assert.deepEqual(select(events, 150), seqs(events).slice(0, 4));
  assert.deepEqual(select(events, 300), seqs(events).slice(0, 3));
  assert.equal(select(events, 100_000), null);
});

test("AG-112 a cut that would part a call from its result moves before the call", () => {
  const events = toolHistory(["one", "two"]);
  const [question, call1, result1] = seqs(events);
  // the newest node is the second result: its call has to stay with it
  assert.deepEqual(select(events), [question, call1, result1]);
});

test("AG-112 several calls of one answer stay with all their results", () => {
  const calls = ["a", "b"].map((id) => ({ id, name: "read" }));
  const events = logOf(
    ...[draft.turnStart(1), draft.stepStart(1, 1), draft.user("q"), draft.assistant(1, 1, calls)],
    ...[draft.call(1, 1, "a"), draft.call(1, 1, "b"), draft.result(1, 1, "a"), draft.result(1, 1, "b"), draft.stepEnd(1, 1)],
  );
  assert.deepEqual(select(events), [2]);
});

test("AG-120 a surface of one message, however large, has nothing to sum up; nor has an empty one", () => {
  assert.equal(select(logOf(draft.turnStart(1), draft.stepStart(1, 1), draft.user("q", "x".repeat(1_000_000)))), null);
  assert.equal(select([]), null);
});

test("CMP-5 what the open step began with stays", () => {
  const events = logOf(
    ...[draft.turnStart(1), draft.stepStart(1, 1), draft.user("a"), draft.user("b"), draft.assistant(1, 1, [], "x"), draft.stepEnd(1, 1)],
    ...[draft.stepStart(1, 2), draft.user("c"), draft.user("d")],
  );
  assert.deepEqual(select(events), [2, 3, 4, 7]);
  assert.deepEqual(select(events, 0, 6), [2, 3, 4]);
});
