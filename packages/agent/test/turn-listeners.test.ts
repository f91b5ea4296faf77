import assert from "node:assert/strict";
import { test } from "node:test";
import { bySteps, inOrder } from "@gantry/testing";
import { defineTool } from "@gantry/tools";
import { z } from "zod";
import type { Agent } from "../src/loop/agent.ts";
import { dataOf, gateTool, resultText, testAgent, textOf } from "./support/agent.ts";
import { userMessage } from "./support/log.ts";

const ok = () => ({ text: "ok" });
const ends = (agent: Agent) => dataOf(agent, "turn/end").map(({ reason }) => reason.kind);
const said = (agent: Agent) =>
  dataOf(agent, "user/message")
    .filter(({ source }) => source.kind === "user")
    .map(textOf);

test("LOP-6 what pre-step listeners make of the messages is what is logged and sent: dropped, turned round, replaced, added", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: ok });
  agent.ctx.on("agent/pre-step", async (_input, next) => {
    const decision = await next();
    if (decision.kind === "reject") return decision;
    const own = decision.messages.filter(({ source }) => source.kind === "user" && source.name !== "drop");
    const kept = own.filter((message) => textOf(message) !== "dropped").reverse();
    return {
      kind: "enter",
      messages: [...kept.map((message) => (textOf(message) === "b" ? userMessage("b", "B") : message)), userMessage("added")],
    };
  });
  for (const text of ["a", "dropped", "b"]) agent.send(userMessage(text), "next-step", false);
  say("prompt");
  await agent.whenIdle();
  assert.deepEqual(said(agent), ["prompt", "B", "a", "added"]);
  const sent = model.requests[0]?.messages.flatMap((message) => (message.role === "user" ? [message.text] : []));
  assert.deepEqual(sent, ["prompt", "B", "a", "added"]);
  assert.ok(agent.inbox.isEmpty, "what a listener drops is gone");
});

test("LOP-6 a listener that re-queues what it drops keeps it for the next turn", async (t) => {
  const { agent, say } = await testAgent(t, { script: ok });
  let isFirst = true;
  agent.ctx.on("agent/pre-step", async (_input, next) => {
    const decision = await next();
    if (!isFirst || decision.kind === "reject") return decision;
    isFirst = false;
    for (const message of decision.messages) if (message.id === "later") agent.send(message, "next-turn", false);
    return { kind: "enter", messages: decision.messages.filter(({ id }) => id !== "later") };
  });
  agent.send(userMessage("later"), "next-step", false);
  say("now");
  await agent.whenIdle();
  assert.deepEqual(
    [said(agent), ends(agent)],
    [
      ["now", "later"],
      ["completed", "completed"],
    ],
  );
});

test("LOP-1 a step that owes the model its results runs although a listener leaves it no message", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: bySteps({ toolCalls: [{ name: "gate", arguments: {} }] }, { text: "done" }) });
  gateTool(agent, "gate").finish();
  agent.ctx.on("agent/pre-step", async ({ step }, next) => (step === 1 ? next() : { kind: "enter", messages: [] }));
  say("go");
  await agent.whenIdle();
  assert.deepEqual([ends(agent), model.requests.length], [["completed"], 2]);
});

test("a continuation that a listener empties ends the turn with the reason it had", async (t) => {
  for (const finish of ["stop", "length"] as const) {
    const { agent, say, model } = await testAgent(t, { script: inOrder({ text: "half", finish }, ok()) });
    agent.ctx.on("agent/turn-stopping", () => agent.send(userMessage(`more ${model.requests.length}`), "next-step", false));
    agent.ctx.on("agent/pre-step", async ({ step }, next) => (step === 1 ? next() : { kind: "enter", messages: [] }));
    say("go");
    await agent.whenIdle();
    assert.deepEqual([ends(agent), model.requests.length], [[finish === "stop" ? "completed" : "max-tokens"], 1]);
  }
});

test("LOP-3 turn-stopping listeners run one after the other in their order; the second knows what the first did", async (t) => {
  const { agent, say } = await testAgent(t, { script: ok });
  const order: string[] = [];
  agent.ctx.on("agent/turn-stopping", async () => {
    await new Promise(setImmediate);
    order.push("first");
    if (order.length === 1) agent.send(userMessage("steer"), "next-step", true);
  });
  agent.ctx.on("agent/turn-stopping", () => void order.push(`second ${agent.inbox.pending("next-step").length}`));
  say("go");
  await agent.whenIdle();
  assert.deepEqual(order, ["first", "second 1", "first", "second 0"]);
  assert.deepEqual([ends(agent), dataOf(agent, "step/start").length], [["completed"], 2]);
});

test("LOP-3 a follow-up that a turn-stopping listener sends gets a turn of its own; one that throws ends the turn with its error", async (t) => {
  const { agent, say } = await testAgent(t, { script: ok });
  let isFirst = true;
  agent.ctx.on("agent/turn-stopping", () => {
    if (isFirst) agent.send(userMessage("follow-up"), "next-turn", true);
    isFirst = false;
  });
  say("go");
  await agent.whenIdle();
  assert.deepEqual(
    [ends(agent), dataOf(agent, "step/start").map(({ turn }) => turn)],
    [
      ["completed", "completed"],
      [1, 2],
    ],
  );
  agent.ctx.on("agent/turn-stopping", () => {
    throw new Error("a broken hook");
  });
  say("again");
  await agent.whenIdle();
  assert.deepEqual(dataOf(agent, "turn/end").at(-1)?.reason, { kind: "error", error: { message: "a broken hook", code: "UNKNOWN" } });
});

test("max-tokens is sticky: a continuation that ends well does not hide that an answer was cut", async (t) => {
  const { agent, say } = await testAgent(t, { script: inOrder({ text: "half", finish: "length" }, ok()) });
  let isFirst = true;
  agent.ctx.on("agent/turn-stopping", () => {
    if (isFirst) agent.send(userMessage("go on"), "next-step", true);
    isFirst = false;
  });
  say("go");
  await agent.whenIdle();
  assert.deepEqual([ends(agent), dataOf(agent, "step/start").length], [["max-tokens"], 2]);
});

test("LOP-2 a steer that comes before the last look keeps the turn open, one in the same moment as the end is not lost", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: ok });
  let isFirst = true;
  agent.ctx.on("session/event", ({ event }) => {
    if (event.type !== "step/end" || !isFirst) return;
    isFirst = false;
    queueMicrotask(() => say("steer", "next-step"));
  });
  say("go");
  await agent.whenIdle();
  assert.deepEqual([said(agent), ends(agent), model.requests.length], [["go", "steer"], ["completed"], 2]);
});

test("BAT-5 a result that concludes ends the turn after the other calls ran; a steer still forces another step", async (t) => {
  for (const isSteered of [false, true]) {
    const { agent, say, model } = await testAgent(t, {
      script: inOrder(
        {
          toolCalls: [
            { name: "conclude", arguments: {} },
            { name: "other", arguments: {} },
          ],
        },
        { text: "more" },
      ),
    });
    const tool = (name: string, concludes: boolean) =>
      agent.ctx.tools.register(
        defineTool({
          name,
          description: "ends the turn, or not",
          parameters: z.object({}),
          output: z.object({}),
          execute: async (_args, run) => {
            if (concludes) run.concludeTurn();
            else if (isSteered) agent.send(userMessage("steer"), "next-step", true);
            return {};
          },
          render: () => name,
        }),
      );
    tool("conclude", true);
    tool("other", false);
    say("go");
    await agent.whenIdle();
    assert.deepEqual(
      dataOf(agent, "tool/result").map(({ message }) => resultText(message)),
      ["conclude", "other"],
    );
    assert.deepEqual([ends(agent), model.requests.length], [["completed"], isSteered ? 2 : 1]);
  }
});
