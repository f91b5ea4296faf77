import assert from "node:assert/strict";
import { test } from "node:test";
import { bySteps } from "@gantry/testing";
import type { LogBatch } from "../src/session/log.ts";
import { dataOf, gateTool, testAgent, textOf } from "./support/agent.ts";
import { userMessage } from "./support/log.ts";

type TestAgent = Awaited<ReturnType<typeof testAgent>>["agent"];
const ends = (agent: TestAgent) => dataOf(agent, "turn/end").map(({ reason }) => reason.kind);
const pending = (agent: TestAgent) => [...agent.inbox.pending("next-step"), ...agent.inbox.pending("next-turn")].map(textOf);
const ok = () => ({ text: "ok" });
const refused = () => ({ fault: { kind: "status", status: 401 } }) as const;

/** Holds back the batch that has a turn's end, so that a test can act between the end and what follows. */
function heldEnd() {
  const saving = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let isHeld = true;
  const write = async ({ events }: LogBatch) => {
    if (!isHeld || !events.some(({ type }) => type === "turn/end")) return;
    saving.resolve();
    await gate.promise;
    isHeld = false;
  };
  return { write, saving: saving.promise, release: () => gate.resolve() };
}

test("PHA-1 a waking message that comes while a failed turn's end is being saved starts a turn; what waited before goes with it in order", async (t) => {
  const { write, saving, release } = heldEnd();
  const { agent, say, model } = await testAgent(t, { script: refused, write });
  say("a");
  say("waited");
  await saving;
  model.use(ok);
  say("came after");
  release();
  await agent.whenIdle();
  assert.deepEqual([ends(agent), agent.inbox.isEmpty], [["error", "completed", "completed"], true]);
});

test("LOP-5 a waking message that came before the turn failed stays parked with the rest", async (t) => {
  const { agent, say } = await testAgent(t, { script: refused });
  agent.ctx.on("agent/request", (_input, next) => {
    if (agent.inbox.isEmpty) say("came before");
    return next();
  });
  say("a");
  await agent.whenIdle();
  assert.deepEqual([ends(agent), pending(agent)], [["error"], ["came before"]]);
});

test("PHA-2 a stop that keeps the queue and comes while a turn's end is being saved keeps the next turn from beginning", async (t) => {
  const { write, saving, release } = heldEnd();
  const { agent, say } = await testAgent(t, { script: ok, write });
  say("a");
  say("queued");
  await saving;
  agent.cancel("user", { keepInbox: true });
  release();
  await agent.whenIdle();
  assert.deepEqual([ends(agent), pending(agent)], [["completed"], ["queued"]]);
  say("woken");
  await agent.whenIdle();
  assert.deepEqual([ends(agent), pending(agent)], [["completed", "completed", "completed"], []]);
});

test("PHA-2 a stop in that moment drops the queue, and a message after the stop still runs", async (t) => {
  const { write, saving, release } = heldEnd();
  const { agent, say, model } = await testAgent(t, { script: ok, write });
  say("a");
  say("queued");
  await saving;
  agent.cancel("user");
  say("after the stop");
  release();
  await agent.whenIdle();
  assert.deepEqual([ends(agent), pending(agent), model.requests.length], [["completed", "completed"], [], 2]);
});

test("PHA-2 the queue that a stop kept is not woken by a wake from before the stop, and is by one after it", async (t) => {
  for (const isAfter of [false, true]) {
    const { agent, say, model } = await testAgent(t, {
      script: bySteps({ toolCalls: [{ name: "gate", arguments: {} }] }, { text: "never" }),
    });
    const gate = gateTool(agent, "gate");
    say("a");
    await gate.started;
    model.use(ok);
    say("queued");
    agent.cancel("user", { keepInbox: true });
    if (isAfter) agent.wake();
    await agent.whenIdle();
    assert.deepEqual(ends(agent), isAfter ? ["aborted", "completed"] : ["aborted"]);
    assert.deepEqual(pending(agent), isAfter ? [] : ["queued"]);
  }
});

test("PHA-2 a second stop, of another cause, changes nothing of the first but drops what came between", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: () => ({ text: "never", fault: { kind: "silent", afterChunks: 0 } }) });
  say("a");
  await model.arrival(0);
  agent.cancel("parent", { keepInbox: true });
  say("between");
  agent.cancel("user");
  await agent.whenIdle();
  assert.deepEqual([dataOf(agent, "turn/end").map(({ reason }) => reason), pending(agent)], [[{ kind: "aborted", reason: "parent" }], []]);
});

test("PHA-4 a stop during maintenance that keeps the queue leaves the remembered wake; one that drops the queue forgets it", async (t) => {
  for (const keepInbox of [true, false]) {
    const { agent } = await testAgent(t, { script: ok });
    const gate = Promise.withResolvers<void>();
    const job = agent.runMaintenance(() => gate.promise);
    agent.send(userMessage("m"), "next-turn", true);
    agent.cancel("user", { keepInbox });
    gate.resolve();
    await job;
    await agent.whenIdle();
    assert.deepEqual([ends(agent), pending(agent)], keepInbox ? [["completed"], []] : [[], []]);
  }
});

test("PHA-1 a waking message in the same tick as the end of a turn is never lost", async (t) => {
  for (const reason of ["blocked", "empty"] as const) {
    const { agent, say } = await testAgent(t, { script: ok });
    let isFirst = true;
    agent.ctx.on("agent/pre-step", (_input, next) => {
      if (!isFirst) return next();
      isFirst = false;
      return Promise.resolve(reason === "blocked" ? { kind: "reject", reason: "no" } : { kind: "enter", messages: [] });
    });
    agent.ctx.on("session/event", ({ event }) => {
      if (event.type !== "turn/end" || event.data.turn !== 1) return;
      queueMicrotask(() => say("in the tick"));
    });
    say("a");
    await agent.whenIdle();
    assert.deepEqual(ends(agent), [reason === "blocked" ? "blocked" : "completed", "completed"], reason);
  }
});
