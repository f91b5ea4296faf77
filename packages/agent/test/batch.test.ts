import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError } from "@gantry/contracts";
import { bySteps } from "@gantry/testing";
import { createSettingsStore } from "../src/settings/store.ts";
import { dataOf, gateTool, resultText, testAgent, until } from "./support/agent.ts";

const calls = (...names: string[]) => ({ toolCalls: names.map((name) => ({ name, arguments: {} })) });
type TestAgent = Awaited<ReturnType<typeof testAgent>>["agent"];
const results = (agent: TestAgent) => dataOf(agent, "tool/result").map((data) => [resultText(data.message), data.error?.code ?? "ok"]);
const started = (agent: TestAgent) => dataOf(agent, "tool/call").map(({ name }) => name);

test("AG-061 parallel calls overlap, an exclusive one stands alone, the next waits for it", async (t) => {
  const { agent, say } = await testAgent(t, { script: bySteps(calls("p1", "p2", "alone", "p3"), { text: "done" }) });
  const p1 = gateTool(agent, "p1", { parallel: true });
  const p2 = gateTool(agent, "p2", { parallel: true });
  const alone = gateTool(agent, "alone");
  const p3 = gateTool(agent, "p3", { parallel: true });
  const logged = () => results(agent).length;
  const before = { alone: alone.started.then(logged), p3: p3.started.then(logged) };
  say("go");
  await Promise.all([p1.started, p2.started]);
  assert.deepEqual(started(agent), ["p1", "p2"]);
  p1.finish();
  p2.finish();
  assert.equal(await before.alone, 2, "both results are in the log when the exclusive one begins");
  assert.deepEqual(started(agent), ["p1", "p2", "alone"]);
  alone.finish();
  assert.equal(await before.p3, 3);
  p3.finish();
  await agent.whenIdle();
  assert.deepEqual(
    results(agent).map(([text]) => text),
    ["p1", "p2", "alone", "p3"],
  );
});

test("AG-062 EX-004 results are logged in the model's order, whichever call is done first", async (t) => {
  const { agent, say } = await testAgent(t, { script: bySteps(calls("p1", "p2"), { text: "done" }) });
  const p1 = gateTool(agent, "p1", { parallel: true });
  const p2 = gateTool(agent, "p2", { parallel: true });
  say("go");
  await Promise.all([p1.started, p2.started]);
  p2.finish();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(results(agent), []);
  p1.finish();
  await agent.whenIdle();
  assert.deepEqual(
    results(agent).map(([text]) => text),
    ["p1", "p2"],
  );
});

test("AG-063 of twelve parallel calls ten run; the eleventh starts when one is done", async (t) => {
  const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
  const { agent, say } = await testAgent(t, { script: bySteps(calls(...names), { text: "done" }) });
  const asked = Promise.withResolvers<void>();
  // whoever is asked whether it may overlap is announced at once where there is room
  const gates = names.map((name) => gateTool(agent, name, { parallel: true, onAsked: name === "p10" ? asked.resolve : () => {} }));
  say("go");
  await asked.promise;
  assert.equal(started(agent).length, 10);
  gates[4]?.finish();
  await gates[10]?.started;
  assert.equal(started(agent).length, 11);
  for (const gate of gates) gate.finish();
  await agent.whenIdle();
  assert.equal(results(agent).length, 12);
});

test("EX-009 BAT-2 with a limit of one, calls that could overlap run one by one; what the org sets holds for the next start", async (t) => {
  const settings = createSettingsStore();
  const names = ["p1", "p2", "p3", "p4"];
  const host = { "agent-loop": { maxParallelToolCalls: 1 } };
  const { agent, say } = await testAgent(t, { script: bySteps(calls(...names), { text: "done" }), host, settings: settings.store });
  const gates = names.map((name) => gateTool(agent, name, { parallel: true }));
  say("go");
  const committed = gates[1]?.started.then(() => results(agent).length);
  await gates[0]?.started;
  gates[0]?.finish();
  assert.equal(await committed, 1, "the second body begins when the first result is in the log");
  assert.deepEqual(started(agent), ["p1", "p2"]);
  settings.refresh([{ namespace: "agent-loop", value: { maxParallelToolCalls: 2 }, revision: 1 }]);
  gates[1]?.finish();
  await Promise.all([gates[2]?.started, gates[3]?.started]);
  gates[2]?.finish();
  gates[3]?.finish();
  await agent.whenIdle();
  assert.deepEqual(
    results(agent).map(([text]) => text),
    names,
  );
});

test("AG-064 a stop lets the running call end and closes the ones that never started", async (t) => {
  const { agent, say } = await testAgent(t, { script: bySteps(calls("p1", "alone"), { text: "never" }) });
  const p1 = gateTool(agent, "p1", { parallel: true });
  gateTool(agent, "alone");
  say("go");
  await p1.started;
  agent.cancel("user");
  await agent.whenIdle();
  assert.deepEqual(
    results(agent).map(([, code]) => code),
    ["ABORTED", "ABORTED_BEFORE_DISPATCH"],
  );
  assert.deepEqual(started(agent), ["p1", "alone"]);
  assert.equal(dataOf(agent, "turn/end")[0]?.reason.kind, "aborted");
});

test("AG-065 a tool that appears while a call runs is there for the calls after it", async (t) => {
  const { agent, say } = await testAgent(t, { script: bySteps(calls("first", "second"), { text: "done" }) });
  const first = gateTool(agent, "first");
  say("go");
  await first.started;
  const second = gateTool(agent, "second");
  first.finish();
  await second.started;
  second.finish();
  await agent.whenIdle();
  assert.deepEqual(results(agent), [
    ["first", "ok"],
    ["second", "ok"],
  ]);
});

test("AG-019 a body whose record cannot be saved does not run, and the session goes on", async (t) => {
  let down = false;
  const write = () => (down ? Promise.reject(new AppError("UNAVAILABLE", "The database does not answer.")) : Promise.resolve());
  const { agent, say } = await testAgent(t, { script: bySteps(calls("gate"), { text: "done" }), write });
  let ran = false;
  const gate = gateTool(agent, "gate");
  gate.started.then(
    () => {
      ran = true;
    },
    () => {},
  );
  agent.ctx.on("tools/pre-execute", (_execution, next) => {
    down = true;
    return next();
  });
  say("go");
  await until(() => results(agent).length === 1, "the result");
  down = false;
  await agent.whenIdle();
  assert.deepEqual([results(agent)[0]?.[1], ran], ["TOOL_NOT_STARTED", false]);
  say("again");
  await until(() => ran || dataOf(agent, "turn/end").length === 2, "the next turn");
  gate.finish();
  await agent.whenIdle();
});

test("an unknown tool, broken arguments and a repeated call id are results for the model, and the turn completes", async (t) => {
  const reply = {
    toolCalls: [
      { name: "missing", arguments: {}, id: "same" },
      { name: "gate", arguments: "{not json", id: "same" },
    ],
  };
  const { agent, say } = await testAgent(t, { script: bySteps(reply, { text: "done" }) });
  gateTool(agent, "gate");
  say("go");
  await agent.whenIdle();
  assert.deepEqual(
    results(agent).map(([, code]) => code),
    ["UNKNOWN_TOOL", "INVALID_ARGS"],
  );
  assert.equal(dataOf(agent, "turn/end")[0]?.reason.kind, "completed");
});
