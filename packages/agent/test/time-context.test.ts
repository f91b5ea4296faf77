import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "@gantry/contracts";
import { summaryMessage } from "../src/compaction/summary-text.ts";
import { describeReading } from "../src/time-context/reading.ts";
import { dataOf, type testAgent as make, testAgent, textOf, until } from "./support/agent.ts";
import { history } from "./support/compaction.ts";
import { logOf } from "./support/log.ts";

const rows = (config = {}) => [{ id: "time-context", name: "time-context", config }];
type Agent = Awaited<ReturnType<typeof make>>["agent"];
const readings = (agent: Agent) =>
  dataOf(agent, "user/message")
    .filter(({ source }) => source.kind === "plugin" && source.plugin === "time-context")
    .map(textOf);
const from = (timeZone: string, id: string): Message => ({
  id,
  role: "user",
  content: [{ type: "text", text: id }],
  source: { kind: "user", timeZone },
});
const turns = (agent: Agent, count: number) => until(() => dataOf(agent, "turn/end").length === count, `${count} turns`);

test("AG-085 one zone is resolved, two in one turn are mixed, none is unknown", async (t) => {
  const { agent, say } = await testAgent(t, { script: () => ({ text: "ok" }), rows: rows() });
  say("no zone");
  await turns(agent, 1);
  agent.send(from("Europe/Berlin", "a"), "next-turn", true);
  await turns(agent, 2);
  agent.inbox.push("next-step", from("Asia/Tokyo", "b"));
  agent.send(from("Europe/Berlin", "c"), "next-turn", true);
  await turns(agent, 3);
  const [none, one, two] = readings(agent);
  assert.match(none ?? "", /\(UTC\)\. The time zone of the people is not known/);
  assert.match(one ?? "", /\+0[12]:00 \(Europe\/Berlin\)\. People here write from that zone/);
  assert.match(two ?? "", /\(UTC\)\. People of several time zones/);
});

test("TIM-1 a reading stands last, and none is made again before its time", async (t) => {
  const { agent, say } = await testAgent(t, { script: () => ({ text: "ok" }), rows: rows({ refreshIntervalMs: 60_000 }) });
  say("first");
  await turns(agent, 1);
  say("second");
  await turns(agent, 2);
  assert.equal(readings(agent).length, 1);
  const messages = dataOf(agent, "user/message");
  assert.ok(
    messages.findIndex((message) => textOf(message) === "first") <
      messages.findIndex(({ source }) => source.kind === "plugin" && source.plugin === "time-context"),
  );
});

test("AG-086 a rejected step leaves no reading", async (t) => {
  const { agent, say } = await testAgent(t, { script: () => ({ text: "ok" }), rows: rows() });
  const undo = agent.ctx.on("agent/pre-step", () => Promise.resolve({ kind: "reject", reason: "not now" }));
  say("refused");
  await turns(agent, 1);
  assert.deepEqual(readings(agent), []);
  await undo();
  say("taken");
  await turns(agent, 2);
  assert.equal(readings(agent).length, 1);
});

test("TIM-3 elapsed time is told in plain units, unknown when there is nothing before", () => {
  const at = (elapsedMs: number | null) => describeReading({ now: 0, zone: { kind: "unavailable" }, elapsedMs });
  assert.match(at(null), /unknown\.$/);
  assert.match(at(59_400), /59 s since/);
  assert.match(at(192_000), /3 min 12 s since/);
  assert.match(at(3 * 3_600_000 + 60_000), /3 h 1 min since/);
  assert.match(at(5 * 86_400_000), /5 days 0 h since/);
  assert.match(at(0), /^It is 1970-01-01T00:00:00\+00:00 \(UTC\)/);
});

test("TIM-3 a summary that took the place of the conversation just now is no message of now", async (t) => {
  const past = history({ steps: 1 });
  const [question, answer] = past.filter(({ surfaceOp }) => surfaceOp === "append").map(({ seq }) => seq) as [number, number];
  const bracket = { compactionId: "c", turn: null };
  const range = { start: question, end: answer };
  const shadowed = { shadowedRange: range, shadowedSeqs: [question, answer], shadowedTokenCount: 9, summary: "short" };
  const whole = logOf(
    ...past,
    { type: "compaction/start", data: bracket },
    { type: "compaction/summary", data: { ...bracket, ...shadowed, provider: "p", model: "m" } },
    {
      type: "user/message",
      surfaceOp: { op: "replace", ...range },
      sourceEventSeqs: [question, answer, past.length, past.length + 1],
      data: summaryMessage("short", "c"),
    },
    { type: "compaction/end", data: bracket },
  );
  const now = Date.now();
  const events = whole.map((event, index) => ({ ...event, time: index < past.length ? now - 3 * 3_600_000 : now }));
  const { agent, say } = await testAgent(t, { script: () => ({ text: "ok" }), rows: rows(), events });
  say("back again");
  await turns(agent, 2);
  assert.match(readings(agent)[0] ?? "", /\b3 h \d+ min since the previous message/);
});
