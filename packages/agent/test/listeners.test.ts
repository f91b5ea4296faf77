import assert from "node:assert/strict";
import { test } from "node:test";
import { bySteps, inOrder } from "@gantry/testing";
import { defineTool } from "@gantry/tools";
import { z } from "zod";
import { dataOf, gateTool, testAgent, textOf, types, until } from "./support/agent.ts";
import { userMessage } from "./support/log.ts";

type TestAgent = Awaited<ReturnType<typeof testAgent>>["agent"];
const ends = (agent: TestAgent) => dataOf(agent, "turn/end").map(({ reason }) => reason.kind);
const ok = () => ({ text: "ok" });
const call = (name: string) => ({ toolCalls: [{ name, arguments: {} }] });

test("AG-005 an observer that throws neither fails the append nor keeps the others from hearing", async (t) => {
  const { agent, say } = await testAgent(t, { script: ok });
  const heard: string[] = [];
  agent.ctx.on("session/event", () => {
    throw new Error("a broken observer");
  });
  agent.ctx.on("session/event", ({ event }) => void heard.push(event.type));
  say("hi");
  await agent.whenIdle();
  assert.deepEqual(ends(agent), ["completed"]);
  assert.deepEqual(heard, types(agent));
});

test("AG-040 a stop right after a waking send closes the opened turn without a step, and what it claimed is gone", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: ok });
  say("hi");
  agent.cancel("user", { keepInbox: true });
  await agent.whenIdle();
  assert.deepEqual([ends(agent), dataOf(agent, "step/start").length, model.requests.length], [["aborted"], 0, 0]);
  assert.ok(agent.inbox.isEmpty);
});

test("AG-041 a notice that a call leaves after a stop waits until somebody wakes the agent", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: bySteps(call("notes"), { text: "done" }) });
  const gate = Promise.withResolvers<void>();
  const notice = { content: [{ type: "text" as const, text: "a notice" }], source: { kind: "plugin" as const, plugin: "test" } };
  agent.ctx.tools.register(
    defineTool({
      name: "notes",
      description: "leaves a notice",
      parameters: z.object({}),
      output: z.object({}),
      execute: async (_args, run) => {
        gate.resolve();
        await new Promise((resolve) => run.signal.addEventListener("abort", resolve, { once: true }));
        run.defer(notice);
        return {};
      },
      render: () => "ok",
    }),
  );
  say("go");
  await gate.promise;
  agent.cancel("user");
  await agent.whenIdle();
  assert.deepEqual([agent.status, agent.inbox.pending("next-step").map(textOf)], ["idle", ["a notice"]]);
  model.use(ok);
  say("again");
  await agent.whenIdle();
  assert.ok(dataOf(agent, "user/message").some((message) => textOf(message) === "a notice"));
});

test("AG-056 an answer after a retry cites only its own part of the stream", async (t) => {
  const cut = { text: "this attempt is cut off", chunkSize: 4, fault: { kind: "cut", afterChunks: 3 } } as const;
  const { agent, say } = await testAgent(t, { script: inOrder(cut, { text: "second attempt" }) });
  say("go");
  await agent.whenIdle();
  const answer = agent.log.events.find((event) => event.type === "assistant/message");
  const cited = answer?.sourceEventSeqs?.map((seq) => JSON.stringify(agent.log.events[seq]?.data)) ?? [];
  assert.ok(cited.length > 0 && cited.every((data) => !data.includes("this")));
  assert.ok(JSON.stringify(agent.log.events).includes('"text":"this'), "the cut attempt stays in the log");
  assert.equal(dataOf(agent, "llm/retry").length, 1);
});

test("AG-012 an answer without blocks is logged for its usage and is not part of the next request", async (t) => {
  const { agent, say, model } = await testAgent(t, {
    script: inOrder({ ...call("never"), finish: "length", usage: { input: 5, output: 9 } }, ok()),
  });
  say("one");
  await agent.whenIdle();
  const [answer] = dataOf(agent, "assistant/message");
  assert.deepEqual([answer?.message.content, answer?.usage?.outputTokens, ends(agent)], [[], 9, ["max-tokens"]]);
  say("two");
  await agent.whenIdle();
  assert.ok(model.requests[1]?.messages.every((message) => message.role === "user"));
});

test("AG-202 a cut-off answer marks its own turn only", async (t) => {
  const { agent, say } = await testAgent(t, { script: inOrder({ text: "half", finish: "length" }, ok()) });
  say("one");
  say("two");
  await agent.whenIdle();
  assert.deepEqual(ends(agent), ["max-tokens", "completed"]);
});

test("AG-081 facts that a rejected step did not log are offered again", async (t) => {
  const { agent, say } = await testAgent(t, { script: ok });
  let reject = true;
  agent.ctx.on("agent/pre-step", (_input, next) => (reject ? Promise.resolve({ kind: "reject", reason: "no" }) : next()));
  say("one");
  await agent.whenIdle();
  reject = false;
  say("two");
  await agent.whenIdle();
  assert.equal(dataOf(agent, "user/message").filter((message) => message.source.kind === "plugin").length, 1);
});

test("AG-193 a message that an idle listener sends is run", async (t) => {
  const { agent, say } = await testAgent(t, { script: ok });
  let sent = false;
  agent.ctx.on("agent/status", ({ status }) => {
    if (status !== "idle" || sent) return;
    sent = true;
    agent.send(userMessage("from the listener"), "next-turn", true);
  });
  say("one");
  await until(() => ends(agent).length === 2, "the second turn");
  await agent.whenIdle();
  assert.deepEqual(ends(agent), ["completed", "completed"]);
});

test("AG-194 a stop from an observer of the step's start closes the step without a model call; after the answer, without a tool call", async (t) => {
  for (const at of ["step/start", "assistant/message"] as const) {
    const { agent, say, model } = await testAgent(t, { script: bySteps(call("gate"), { text: "never" }) });
    gateTool(agent, "gate");
    agent.ctx.on("session/event", ({ event }) => {
      if (event.type === at) agent.cancel("user");
    });
    say("go");
    await agent.whenIdle();
    assert.deepEqual([ends(agent), dataOf(agent, "step/end").length], [["aborted"], 1]);
    assert.equal(model.requests.length, at === "step/start" ? 0 : 1);
    assert.ok(dataOf(agent, "tool/result").every(({ error }) => error?.code === "ABORTED_BEFORE_DISPATCH"));
  }
});

test("AG-195 a stop while the turn is about to close aborts it and adds no step", async (t) => {
  const { agent, say } = await testAgent(t, { script: ok });
  agent.ctx.on("agent/turn-stopping", () => agent.cancel("user"));
  say("go");
  await agent.whenIdle();
  assert.deepEqual([ends(agent), dataOf(agent, "step/start").length], [["aborted"], 1]);
});

test("LOP-3 a listener that steers while the turn is about to close gets another step", async (t) => {
  const { agent, say } = await testAgent(t, { script: ok });
  let steered = false;
  agent.ctx.on("agent/turn-stopping", () => {
    if (!steered) agent.send(userMessage("one more thing"), "next-step", true);
    steered = true;
  });
  say("go");
  await agent.whenIdle();
  assert.deepEqual([ends(agent), dataOf(agent, "step/start").length], [["completed"], 2]);
});

test("AG-198 a step that is rejected in the middle of a turn closes it as blocked", async (t) => {
  const { agent, say } = await testAgent(t, { script: bySteps(call("gate"), { text: "never" }) });
  const gate = gateTool(agent, "gate");
  agent.ctx.on("agent/pre-step", ({ step }, next) => (step === 2 ? Promise.resolve({ kind: "reject", reason: "enough" }) : next()));
  say("go");
  await gate.started;
  gate.finish();
  await agent.whenIdle();
  assert.deepEqual([ends(agent), dataOf(agent, "step/start").length], [["blocked"], 1]);
});

test("AG-200 a message that arrives while the request is made joins the next one", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: ok });
  let injected = false;
  agent.ctx.on("agent/request", (_input, next) => {
    if (!injected) agent.send(userMessage("late"), "next-step", false);
    injected = true;
    return next();
  });
  say("go");
  await agent.whenIdle();
  const heard = model.requests.map(({ messages }) => messages.some((message) => message.role === "user" && message.text === "late"));
  assert.deepEqual(heard, [false, true]);
});

test("AG-203 a retry that is granted after a stop is not made, and a listener that throws grants none", async (t) => {
  const failing = () => ({ fault: { kind: "status", status: 401 } }) as const;
  const stopped = await testAgent(t, { script: failing });
  stopped.agent.ctx.on("agent/request-error", () => {
    stopped.agent.cancel("user");
    return Promise.resolve({ kind: "retry" });
  });
  stopped.say("go");
  await stopped.agent.whenIdle();
  assert.deepEqual([ends(stopped.agent), stopped.model.requests.length], [["aborted"], 1]);
  const thrown = await testAgent(t, { script: failing });
  thrown.agent.ctx.on("agent/request-error", () => {
    throw new Error("broken policy");
  });
  thrown.say("go");
  await thrown.agent.whenIdle();
  assert.deepEqual([ends(thrown.agent), thrown.model.requests.length], [["error"], 1]);
});

test("AG-198 a message that is injected while a step is being rejected waits for the next turn", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: ok });
  let reject = true;
  agent.ctx.on("agent/pre-step", (_input, next) => {
    if (!reject) return next();
    agent.send(userMessage("injected"), "next-step", false);
    reject = false;
    return Promise.resolve({ kind: "reject", reason: "not now" });
  });
  say("one");
  await agent.whenIdle();
  assert.deepEqual([ends(agent), agent.inbox.pending("next-step").map(textOf)], [["blocked"], ["injected"]]);
  say("two");
  await agent.whenIdle();
  assert.ok(model.requests[0]?.messages.some((message) => message.role === "user" && message.text === "injected"));
});
