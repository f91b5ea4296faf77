import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventDraft } from "@gantry/contracts";
import { planRecovery } from "../src/session/recovery.ts";
import { draft, type Events, logOf, testLog, userMessage } from "./support/log.ts";

const readers = ["read", "glob", "grep"];
/** As if the ledger had every call that was recorded. */
const plan = (events: Events) =>
  planRecovery(events, ({ block, callSeq }) =>
    callSeq === null ? { kind: "not-started" } : { kind: "unknown", isRepeatable: readers.includes(block.name) },
  );
const closed = (events: Events) => {
  const { log } = testLog({ events });
  for (const closer of plan(events).closers) log.append(closer);
  return log.events;
};
const codes = (closers: EventDraft[]) => closers.map((item) => (item.type === "tool/result" ? item.data.error?.code : item.type));

const sent = draft.insert(userMessage("m1"));
const entered = [sent, draft.turnStart(1), draft.claim(), draft.stepStart(1, 1), draft.user("m1")];
const answer = (...names: string[]) =>
  draft.assistant(
    1,
    1,
    names.map((name, index) => ({ id: `c${index}`, name })),
  );

test("AG-021 a call without a result is closed as unknown, then step and turn; a second run plans nothing", () => {
  const events = logOf(...entered, answer("bash"), draft.call(1, 1, "c0"));
  const { closers, unknownEffects } = plan(events);
  assert.deepEqual(codes(closers), ["TOOL_OUTCOME_UNKNOWN", "step/end", "turn/end"]);
  assert.deepEqual(closers[0]?.sourceEventSeqs, [6]);
  assert.deepEqual(
    unknownEffects.map((call) => call.id),
    ["c0"],
  );
  const again = plan(closed(events));
  assert.deepEqual([again.closers, again.requeue, again.interrupted, again.fruitless], [[], [], false, 0]);
});

test("AG-189 only the last open turn is closed", () => {
  const events = logOf(draft.turnStart(1), draft.turnEnd(1), draft.turnStart(2));
  assert.deepEqual(codes(plan(events).closers), ["turn/end"]);
  assert.equal(plan(logOf(draft.turnStart(1), draft.turnEnd(1))).interrupted, false);
});

test("a claim that never reached a step goes back to its list (C3)", () => {
  const events = logOf(sent, draft.turnStart(1), draft.claim());
  assert.deepEqual(plan(events).requeue, [{ target: "next-turn", messages: [userMessage("m1")] }]);
  assert.deepEqual(plan(logOf(...entered)).requeue, []);
});

test("REC-7 LOP-6 what a listener put back after the claim keeps its place, and what a person dropped there does not come back", () => {
  const message = userMessage("m1");
  const claimed = [sent, draft.turnStart(1), draft.claim()];
  const dropped: EventDraft = {
    type: "agent/inbox/spliced",
    data: { target: "next-turn", start: 0, removedCount: 1, inserted: [], outcome: "canceled" },
  };
  const back = (...drafts: EventDraft[]) => plan(logOf(...claimed, ...drafts)).requeue.flatMap(({ messages }) => messages);
  assert.deepEqual(back(draft.insert(message)), []);
  assert.deepEqual(back(draft.insert(message, "next-step")), []);
  assert.deepEqual(back(draft.insert(message), dropped), []);
  assert.deepEqual(back(draft.insert(message), draft.claim()), [message]);
});

test("calls that never started are said to be safe to run, and do not stop the session from going on (C6)", () => {
  const { closers, unknownEffects } = plan(logOf(...entered, answer("bash", "write")));
  assert.deepEqual(codes(closers), ["TOOL_NOT_STARTED", "TOOL_NOT_STARTED", "step/end", "turn/end"]);
  assert.deepEqual(unknownEffects, []);
});

test("an unknown result of a read-only tool does not stop the session either (REC-16)", () => {
  const { closers, unknownEffects } = plan(logOf(...entered, answer("read"), draft.call(1, 1, "c0")));
  assert.equal(codes(closers)[0], "TOOL_OUTCOME_UNKNOWN");
  assert.deepEqual(unknownEffects, []);
});

test("results that were committed stay; only the others are closed (C9)", () => {
  const events = logOf(...entered, answer("read", "bash"), draft.call(1, 1, "c0"), draft.call(1, 1, "c1"), draft.result(1, 1, "c0"));
  assert.deepEqual(codes(plan(events).closers), ["TOOL_OUTCOME_UNKNOWN", "step/end", "turn/end"]);
});

test("AG-172 turns that were cut without finishing a step are counted; a finished step starts the count anew", () => {
  let events = logOf(...entered, answer("bash"), draft.call(1, 1, "c0"));
  assert.equal(plan(events).fruitless, 1);
  for (const turn of [2, 3]) {
    events = logOf(...closed(events), draft.turnStart(turn), draft.stepStart(turn, 1), draft.user(`n${turn}`));
    assert.equal(plan(events).fruitless, turn);
  }
  const done = logOf(...closed(events), draft.turnStart(4), draft.stepStart(4, 1), draft.user("n4"), draft.assistant(4, 1, [], "done"));
  assert.equal(plan(done).fruitless, 0);
});
