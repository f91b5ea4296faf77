import assert from "node:assert/strict";
import { test } from "node:test";
import { dataOf, testAgent, textOf, until } from "./support/agent.ts";
import { draft, logOf, testLog, userMessage } from "./support/log.ts";

/** A source with an answered turn, whose person has written once more. */
const source = logOf(
  draft.insert(userMessage("asked")),
  draft.turnStart(1),
  draft.claim(),
  draft.stepStart(1, 1),
  draft.user("asked"),
  { type: "request/header", data: { header: { config: { provider: "gone", model: "gone" } }, reason: "initial" } },
  draft.assistant(1, 1, [], "answer"),
  draft.stepEnd(1, 1),
  draft.turnEnd(1),
  draft.insert(userMessage("waits in the source")),
);

test("SES-24 a fork knows what was said, and nothing that waited in its source waits in it", async (t) => {
  const { agent, model, say } = await testAgent(t, { script: () => ({ text: "ok" }), events: source, seedLength: source.length });
  assert.ok(agent.inbox.isEmpty);
  say("in the fork");
  await until(() => dataOf(agent, "turn/end").length === 2, "the fork's own turn");
  assert.equal(dataOf(agent, "turn/start").at(-1)?.turn, 2, "turns are counted on");
  assert.deepEqual(
    dataOf(agent, "request/header").map(({ reason }) => reason),
    ["initial", "resume"],
  );
  const sent = JSON.stringify(model.requests[0]?.messages);
  assert.ok(sent.includes("asked") && sent.includes("answer") && sent.includes("in the fork") && !sent.includes("waits in the source"));
  assert.ok(!dataOf(agent, "user/message").some((message) => textOf(message) === "waits in the source"));
});

test("SES-24 without the seed's length the same log is a session of its own, whose message still waits", async (t) => {
  const { agent } = await testAgent(t, { script: () => ({ text: "ok" }), events: source });
  assert.deepEqual(agent.inbox.pending("next-turn").map(textOf), ["waits in the source"]);
});

test("SES-23 a copy that ends anywhere outside a turn loads, and a turn of its own follows", async () => {
  const summary = { compactionId: "c", turn: null, shadowedRange: { start: 4, end: 6 }, shadowedSeqs: [4, 6], shadowedTokenCount: 1 };
  const standIn = { ...userMessage("summary"), source: { kind: "plugin" as const, plugin: "compaction", ref: "c" } };
  const log = logOf(
    ...source,
    { type: "command/run", data: { commandId: "k", name: "compact" } },
    { type: "compaction/start", data: { compactionId: "c", sourceCommandId: "k", turn: null } },
    { type: "compaction/summary", data: { ...summary, summary: "short", provider: "p", model: "m" } },
    { type: "user/message", surfaceOp: { op: "replace", start: 4, end: 6 }, sourceEventSeqs: [4, 6], data: standIn },
    { type: "compaction/end", data: { compactionId: "c", sourceCommandId: "k", turn: null } },
    { type: "command/done", data: { commandId: "k", kind: "success" } },
    draft.title("renamed"),
    { type: "session/end-seed", data: {} },
  );
  const boundaries = log.map((_, at) => at).filter((at) => testLog({ events: log.slice(0, at + 1) }).log.turn === 0);
  assert.ok(boundaries.length >= 10);
  for (const at of boundaries) {
    const seal = { type: "session/end-seed" as const, seq: at + 1, time: 1, data: {} };
    const { log: fork } = testLog({ events: [...log.slice(0, at + 1), seal] });
    assert.equal(fork.open.compactionId, null);
    fork.append(draft.turnStart(fork.lastTurn + 1));
  }
});
