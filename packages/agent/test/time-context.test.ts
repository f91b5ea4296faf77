import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "@gantry/contracts";
import { describeReading } from "../src/time-context/reading.ts";
import { dataOf, type testAgent as make, testAgent, textOf, until } from "./support/agent.ts";

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
