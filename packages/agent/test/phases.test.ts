import assert from "node:assert/strict";
import { test } from "node:test";
import { isEvent } from "@gantry/contracts";
import { Cancelled } from "../src/loop/cancel.ts";
import { dataOf, gateTool, testAgent, textOf, until } from "./support/agent.ts";
import { userMessage } from "./support/log.ts";

type TestAgent = Awaited<ReturnType<typeof testAgent>>["agent"];
const ends = (agent: TestAgent) => dataOf(agent, "turn/end").map(({ reason }) => reason);
const kinds = (agent: TestAgent) => ends(agent).map(({ kind }) => kind);
const ok = () => ({ text: "ok" });
const silent = () => ({ text: "never", fault: { kind: "silent", afterChunks: 0 } }) as const;

test("AG-048 a message that is sent during maintenance runs right after it", async (t) => {
  const { agent, say } = await testAgent(t, { script: ok });
  const gate = Promise.withResolvers<string>();
  const job = agent.runMaintenance(() => gate.promise);
  say("meanwhile");
  assert.deepEqual([agent.status, agent.isFree, dataOf(agent, "turn/start").length], ["idle", false, 0]);
  gate.resolve("done");
  assert.equal(await job, "done");
  await agent.whenIdle();
  assert.deepEqual(kinds(agent), ["completed"]);
});

test("AG-049 maintenance is refused at once while a turn or another maintenance runs", async (t) => {
  const { agent, say } = await testAgent(t, { script: silent });
  const gate = Promise.withResolvers<void>();
  const job = agent.runMaintenance(() => gate.promise);
  assert.throws(() => agent.runMaintenance(() => Promise.resolve()), { code: "CONFLICT" });
  gate.resolve();
  await job;
  await agent.whenIdle();
  say("hi");
  assert.throws(() => agent.runMaintenance(() => Promise.resolve()), { code: "CONFLICT" });
  agent.cancel("user");
  await agent.whenIdle();
});

test("PHA-4 a cancel reaches the maintenance; its failure frees the agent", async (t) => {
  const { agent, say } = await testAgent(t, { script: ok });
  const job = agent.runMaintenance(
    (signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
  );
  agent.cancel("user");
  await assert.rejects(job, Cancelled);
  await agent.whenIdle();
  say("hi");
  await agent.whenIdle();
  assert.deepEqual(kinds(agent), ["completed"]);
});

test("PHA-1 nothing starts after a maintenance when the message is gone by then", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  const gate = Promise.withResolvers<void>();
  const job = agent.runMaintenance(() => gate.promise);
  agent.send(userMessage("m"), "next-turn", true);
  agent.inbox.remove("m");
  gate.resolve();
  await job;
  await agent.whenIdle();
  assert.equal(dataOf(agent, "turn/start").length, 0);
});

test("PHA-5 idle is awaited through an activity that replaces the one that ended", async (t) => {
  const { agent, say } = await testAgent(t, { script: ok });
  const gate = Promise.withResolvers<void>();
  const job = agent.runMaintenance(() => gate.promise);
  say("after");
  const idle = agent.whenIdle().then(() => kinds(agent));
  gate.resolve();
  await job;
  assert.deepEqual(await idle, ["completed"]);
});

test("PHA-6 the status is told when it changes, and not for a maintenance or for a turn that follows at once", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: ok });
  const told: string[] = [];
  agent.ctx.on("agent/status", ({ status }) => void told.push(status));
  await agent.runMaintenance(() => Promise.resolve());
  await agent.whenIdle();
  for (const text of ["a", "b"]) say(text);
  await agent.whenIdle();
  assert.deepEqual(told, ["running", "idle"]);
  model.use(silent);
  say("c");
  await model.arrival(2);
  model.use(ok);
  agent.cancel("user");
  say("d");
  await agent.whenIdle();
  assert.deepEqual(told, ["running", "idle", "running", "idle"]);
});

test("AG-047 nothing runs after an agent was cancelled for good, whether it was busy or not", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: silent });
  say("a");
  await model.arrival(0);
  agent.cancel("disposed");
  say("b");
  await agent.whenIdle();
  assert.deepEqual([ends(agent), model.requests.length], [[{ kind: "aborted", reason: "disposed" }], 1]);
  say("c");
  assert.equal(agent.status, "idle");
});

test("AG-037 closing a session in the middle of a turn ends the turn as disposed, then undoes the agent's scope, then says so", async (t) => {
  const { agent, say, model, root } = await testAgent(t, { script: silent });
  const order: string[] = [];
  agent.ctx.on("session/event", ({ event }) => void (isEvent(event, "turn/end") && order.push("turn/end")));
  agent.ctx.effect(() => () => order.push("scope"), "test");
  agent.ctx.on("agents/disposed", () => void order.push("disposed"));
  say("a");
  await model.arrival(0);
  agent.cancel("disposed");
  await root.disposeAgent(agent);
  assert.deepEqual(ends(agent), [{ kind: "aborted", reason: "disposed" }]);
  // the notification goes out while the agent's own listeners still stand
  assert.deepEqual(order, ["turn/end", "disposed", "scope"]);
});

test("AG-195 the first cause stays when the end of the hold follows a person's stop", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: silent });
  say("a");
  await model.arrival(0);
  agent.cancel("user");
  await agent.stop();
  assert.deepEqual(ends(agent), [{ kind: "aborted", reason: "user" }]);
});

test("AG-193 a message that an observer of the stop sends runs afterwards, unless it is taken back before", async (t) => {
  for (const takenBack of [false, true]) {
    const { agent, say, model } = await testAgent(t, { script: silent });
    say("a");
    await model.arrival(0);
    model.use(ok);
    agent.ctx.on("agent/request", (_input, next) => next());
    const gone = model.requests[0]?.ended;
    agent.cancel("user");
    agent.send(userMessage("from the observer"), "next-step", true);
    if (takenBack) agent.inbox.remove("from the observer");
    await gone;
    await agent.whenIdle();
    assert.deepEqual(kinds(agent), takenBack ? ["aborted"] : ["aborted", "completed"]);
  }
});

test("AG-193 a message that a listener of the start sends runs in its turn", async (t) => {
  const { agent, say } = await testAgent(t, { script: ok });
  agent.ctx.on("agent/status", ({ status }) => {
    if (status === "running") agent.send(userMessage("joined"), "next-step", true);
  });
  say("a");
  await agent.whenIdle();
  assert.ok(dataOf(agent, "user/message").some((message) => textOf(message) === "joined"));
});

test("AG-194 a stop from an observer of the log also drops what waits", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: ok });
  agent.ctx.on("session/event", ({ event }) => {
    if (event.type === "step/start") agent.cancel("user");
  });
  say("a");
  say("b");
  await agent.whenIdle();
  assert.deepEqual([kinds(agent), agent.inbox.isEmpty, model.requests.length], [["aborted"], true, 0]);
});

test("AG-205 when the loop goes in the middle of a turn, the turn's work ends and what waits never starts", async (t) => {
  const { agent, say, root } = await testAgent(t, { script: () => ({ toolCalls: [{ name: "gate", arguments: {} }] }) });
  const gate = gateTool(agent, "gate");
  say("a");
  say("b");
  await gate.started;
  await root.close();
  assert.deepEqual([agent.status, dataOf(agent, "turn/start").length], ["idle", 1]);
  assert.deepEqual(
    agent.inbox.pending("next-turn").map((message) => textOf(message)),
    ["b"],
  );
});

test("AG-179 an observer that lets the agent go does so after the event has reached every observer", async (t) => {
  const { agent, say, root } = await testAgent(t, { script: ok });
  const heard: string[] = [];
  let gone: Promise<void> | null = null;
  agent.ctx.on("session/event", ({ event }) => {
    if (isEvent(event, "turn/start")) gone = root.disposeAgent(agent);
  });
  agent.ctx.on("session/event", ({ event }) => void heard.push(event.type));
  say("a");
  assert.ok(heard.includes("turn/start"));
  await until(() => gone !== null, "the end of the agent");
  await gone;
  assert.deepEqual([agent.log.last("turn/start")?.data.turn, dataOf(agent, "step/start").length], [1, 0]);
});

test("an error of a turn is told after its end is logged, with the place of it (LOP-5)", async (t) => {
  const { agent, say } = await testAgent(t, { script: () => ({ fault: { kind: "status", status: 401 } }) });
  const told: unknown[] = [];
  agent.ctx.on("agent/error", ({ turn, step, error }) => void told.push([turn, step, error.code, kinds(agent)]));
  say("a");
  await agent.whenIdle();
  assert.deepEqual(told, [[1, 1, "AUTH", ["error"]]]);
});

test("each message of the inbox is told as it comes, is claimed for a turn, or is dropped (INB-3, INB-4)", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  const told: string[] = [];
  agent.ctx.on("agent/inbox/inserted", ({ message }) => void told.push(`in ${message.id}`));
  agent.ctx.on("agent/inbox/claimed", ({ message, turn }) => void told.push(`turn ${turn} ${message.id}`));
  agent.ctx.on("agent/inbox/discarded", ({ message }) => void told.push(`out ${message.id}`));
  agent.send(userMessage("a"), "next-step", false);
  agent.send(userMessage("b"), "next-turn", true);
  await agent.whenIdle();
  agent.send(userMessage("c"), "next-step", false);
  agent.cancel("user");
  assert.deepEqual(told, ["in a", "in b", "turn 1 a", "turn 1 b", "in c", "out c"]);
});

test("INB-8 while a turn is being stopped a waking message goes to the next turn and is remembered, an injected one stays in its list", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: silent });
  say("a");
  await model.arrival(0);
  agent.cancel("user");
  model.use(ok);
  agent.send(userMessage("injected"), "next-step", false);
  agent.send(userMessage("waking"), "next-step", true);
  const pending = (target: "next-step" | "next-turn") => agent.inbox.pending(target).map(({ id }) => id);
  assert.deepEqual([pending("next-step"), pending("next-turn")], [["injected"], ["waking"]]);
  await agent.whenIdle();
  assert.deepEqual([kinds(agent), agent.inbox.isEmpty], [["aborted", "completed"], true]);
});
