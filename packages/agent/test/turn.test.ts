import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError } from "@gantry/contracts";
import { bySteps } from "@gantry/testing";
import { dataOf, gateTool, testAgent, textOf, types, until } from "./support/agent.ts";
import { draft, logOf, userMessage } from "./support/log.ts";

const ends = (agent: Parameters<typeof dataOf>[0]) => dataOf(agent, "turn/end").map(({ reason }) => reason.kind);
const call = (name: string) => ({ toolCalls: [{ name, arguments: {} }] });

test("a message becomes a turn: claimed, entered, requested, answered, ended, in this order", async (t) => {
  const { agent, say } = await testAgent(t, { script: () => ({ text: "hello", usage: { input: 7, output: 3 } }) });
  say("hi");
  await agent.whenIdle();
  const order = types(agent).filter((type) => type !== "assistant/chunk" && !type.startsWith("session/title"));
  assert.deepEqual(order, [
    "agent/inbox/spliced",
    "turn/start",
    "agent/inbox/spliced",
    "step/start",
    "user/message",
    "user/message",
    "request/header",
    "request/context",
    "assistant/message",
    "step/end",
    "turn/end",
  ]);
  const [answer] = dataOf(agent, "assistant/message");
  assert.deepEqual([answer && textOf(answer.message), answer?.usage?.outputTokens], ["hello", 3]);
});

test("AG-013 injected runtime facts are a logged message before the request that contains them, and are not repeated", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: () => ({ text: "ok" }) });
  say("one");
  await agent.whenIdle();
  say("two");
  await agent.whenIdle();
  const facts = dataOf(agent, "user/message").filter((message) => message.source.kind === "plugin");
  assert.equal(facts.length, 1);
  assert.match(textOf(facts[0] as never), /workspace-write/);
  assert.equal(model.requests[1]?.messages.filter((message) => message.role === "user").length, 3);
});

test("AG-042 a steer joins at the next step, a follow-up gets a turn of its own", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: bySteps(call("gate"), { text: "done" }) });
  const gate = gateTool(agent, "gate");
  say("start");
  await gate.started;
  say("later");
  say("first steer", "next-step");
  say("second steer", "next-step");
  gate.finish();
  await agent.whenIdle();
  assert.deepEqual(ends(agent), ["completed", "completed"]);
  const second = model.requests[1]?.messages.filter((message) => message.role === "user").map((message) => message.text);
  assert.deepEqual(second?.slice(-2), ["first steer", "second steer"]);
});

test("AG-043 an injected message starts nothing and enters with the next prompt, before it", async (t) => {
  const { agent, say } = await testAgent(t, { script: () => ({ text: "ok" }) });
  agent.send(userMessage("injected"), "next-step", false);
  assert.equal(agent.status, "idle");
  say("prompt");
  await agent.whenIdle();
  const order = dataOf(agent, "user/message").map((message) => message.id);
  assert.deepEqual(order.slice(0, 2), ["injected", "prompt"]);
});

test("AG-192 a burst of sends gives as many turns, numbered in order", async (t) => {
  const { agent, say } = await testAgent(t, { script: () => ({ text: "ok" }) });
  for (const text of ["a", "b", "c"]) say(text);
  await agent.whenIdle();
  assert.deepEqual(
    dataOf(agent, "turn/start").map(({ turn }) => turn),
    [1, 2, 3],
  );
  assert.deepEqual(ends(agent), ["completed", "completed", "completed"]);
});

test("AG-050 a rejected step blocks its turn and leaves the next message waiting", async (t) => {
  const { agent, say } = await testAgent(t, { script: () => ({ text: "ok" }) });
  agent.ctx.on("agent/pre-step", () => Promise.resolve({ kind: "reject", reason: "not now" }));
  say("a");
  say("b");
  await agent.whenIdle();
  assert.deepEqual(ends(agent), ["blocked"]);
  assert.deepEqual(
    agent.inbox.pending("next-turn").map((message) => message.id),
    ["b"],
  );
});

test("AG-051 a first boundary without messages completes the turn without a step", async (t) => {
  const { agent, say } = await testAgent(t, { script: () => ({ text: "ok" }) });
  agent.ctx.on("agent/pre-step", () => Promise.resolve({ kind: "enter", messages: [] }));
  say("a");
  await agent.whenIdle();
  assert.deepEqual([ends(agent), dataOf(agent, "step/start").length], [["completed"], 0]);
});

test("AG-053 after an error what waits stays parked until the next message", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: () => ({ fault: { kind: "status", status: 401 } }) });
  say("a");
  say("b");
  await agent.whenIdle();
  assert.deepEqual(ends(agent), ["error"]);
  model.use(() => ({ text: "ok" }));
  say("c");
  await agent.whenIdle();
  assert.deepEqual(ends(agent), ["error", "completed", "completed"]);
});

test("AG-054 a throw that is no model failure ends the turn as UNKNOWN with all its causes", async (t) => {
  const { agent, say } = await testAgent(t, { script: () => ({ text: "ok" }) });
  agent.ctx.on("agent/request", () => {
    throw new Error("outer", { cause: new Error("inner") });
  });
  say("a");
  await agent.whenIdle();
  const [end] = dataOf(agent, "turn/end");
  assert.deepEqual(end?.reason, { kind: "error", error: { message: "outer: inner", code: "UNKNOWN" } });
});

test("AG-018 when the log cannot be saved the model is not called and the turn ends with the error", async (t) => {
  let down = false;
  const write = () => (down ? Promise.reject(new AppError("UNAVAILABLE", "The database does not answer.")) : Promise.resolve());
  const { agent, say, model } = await testAgent(t, { script: () => ({ text: "ok" }), write });
  agent.ctx.on("agent/request", (_input, next) => {
    down = true;
    return next();
  });
  say("a");
  await agent.whenIdle();
  assert.equal(model.requests.length, 0);
  assert.deepEqual(ends(agent), ["error"]);
});

test("a stop in the middle of the answer keeps what was readable and ends as aborted (STP-7)", async (t) => {
  const { agent, say, frames } = await testAgent(t, { script: () => ({ text: "half of it", fault: { kind: "silent", afterChunks: 2 } }) });
  say("a");
  await until(() => frames.some((frame) => frame.kind === "delta"), "the first words");
  agent.cancel("user");
  await agent.whenIdle();
  const [answer] = dataOf(agent, "assistant/message");
  assert.ok(answer?.interrupted);
  assert.match(textOf(answer.message), /^half of/);
  assert.deepEqual(dataOf(agent, "turn/end")[0]?.reason, { kind: "aborted", reason: "user" });
});

test("SES-33 what a model said before it fell silent is in the log within moments, for whoever comes late", async (t) => {
  const script = () => ({ text: "said and then nothing for long", fault: { kind: "silent" as const, afterChunks: 4 } });
  const { agent, say, frames } = await testAgent(t, { script });
  say("a");
  const shown = () => frames.map((frame) => (frame.kind === "delta" ? frame.run.text : "")).join("");
  const stored = () =>
    dataOf(agent, "assistant/chunk")
      .flatMap(({ runs }) => runs.map(({ text }) => text))
      .join("");
  await until(() => shown().length >= 14, "what is said");
  await until(() => stored() === shown(), "the same in the log");
  agent.cancel("user");
  await agent.whenIdle();
  assert.equal(stored(), shown(), "nothing twice");
});

test("AG-058 a stop before the first word leaves no assistant message", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: () => ({ text: "never", fault: { kind: "silent", afterChunks: 0 } }) });
  say("a");
  await model.arrival(0);
  agent.cancel("user");
  await agent.whenIdle();
  assert.equal(dataOf(agent, "assistant/message").length, 0);
  assert.deepEqual(ends(agent), ["aborted"]);
});

test("AG-046 a message sent in the tick of a stop runs in a new turn", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: () => ({ text: "never", fault: { kind: "silent", afterChunks: 0 } }) });
  say("a");
  await model.arrival(0);
  model.use(() => ({ text: "ok" }));
  agent.cancel("user");
  say("b");
  await agent.whenIdle();
  assert.deepEqual(ends(agent), ["aborted", "completed"]);
});

test("AG-047 a disposed agent runs nothing more and writes no end of its turn", async (t) => {
  const { agent, say, model } = await testAgent(t, { script: () => ({ text: "never", fault: { kind: "silent", afterChunks: 0 } }) });
  say("a");
  await model.arrival(0);
  await agent.stop();
  say("b");
  await agent.whenIdle();
  assert.deepEqual(ends(agent), []);
  assert.equal(model.requests.length, 1);
});

test("a stop that comes while a finished turn is being saved keeps the next one from beginning (INT-1)", async (t) => {
  const gate = Promise.withResolvers<void>();
  const saving = Promise.withResolvers<void>();
  const write = async ({ events }: { events: readonly { type: string }[] }) => {
    if (!events.some((event) => event.type === "turn/end")) return;
    saving.resolve();
    await gate.promise;
  };
  const { agent, say, model } = await testAgent(t, { script: () => ({ text: "ok" }), write });
  say("a");
  say("b");
  await saving.promise;
  const stopped = agent.stop();
  gate.resolve();
  await stopped;
  assert.deepEqual([ends(agent), model.requests.length], [["completed"], 1]);
  assert.deepEqual(
    agent.inbox.pending("next-turn").map((message) => message.id),
    ["b"],
  );
  agent.wake();
  assert.equal(agent.status, "idle");
});

test("AG-059 a changed route is logged as a change of the header by the next request", async (t) => {
  const { agent, say } = await testAgent(t, { script: () => ({ text: "ok" }) });
  say("a");
  await agent.whenIdle();
  agent.ctx.on("agent/request", async (_input, next) => ({ ...(await next()), model: "other" }));
  say("b");
  await agent.whenIdle();
  assert.deepEqual(
    dataOf(agent, "request/header").map(({ reason }) => reason),
    ["initial", "change"],
  );
});

test("a resumed session logs its header anew and numbers its turns on", async (t) => {
  const events = logOf(
    draft.turnStart(1),
    draft.stepStart(1, 1),
    draft.user("m"),
    draft.assistant(1, 1, [], "hi"),
    draft.stepEnd(1, 1),
    draft.turnEnd(1),
  );
  const { agent, say, model } = await testAgent(t, { script: () => ({ text: "again" }), events });
  say("b");
  await agent.whenIdle();
  assert.deepEqual(
    dataOf(agent, "turn/start").map(({ turn }) => turn),
    [1, 2],
  );
  assert.ok(model.requests[0]?.messages.some((message) => message.role === "assistant" && message.text === "hi"));
});
