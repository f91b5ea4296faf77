import assert from "node:assert/strict";
import { test } from "node:test";
import { bySteps } from "@gantry/testing";
import { defineTool } from "@gantry/tools";
import { z } from "zod";
import { dataOf, testAgent, textOf } from "./support/agent.ts";

const always = { "llm-retry": { mode: "always" as const, baseDelayMs: 1, maxDelayMs: 2 } };
type Where = "at once" | "before the first chunk" | "after the first words";

for (const where of ["at once", "before the first chunk", "after the first words"] satisfies Where[]) {
  test(`STP-6 a listener of the stream that throws ends the turn with its own reasons and is not tried again: ${where}`, async (t) => {
    const { agent, say, model } = await testAgent(t, { script: () => ({ text: "some words" }), host: always });
    let asked = 0;
    agent.ctx.on("agent/request-error", (_event, next) => {
      asked++;
      return next();
    });
    const broken = new Error("the recorder failed", { cause: new Error("its disk is full") });
    agent.ctx.on("llm/stream", (request, next) => {
      if (request.purpose !== "main") return next();
      if (where === "at once") throw broken;
      return (async function* () {
        if (where === "before the first chunk") throw broken;
        for await (const chunk of next()) {
          yield chunk;
          if (chunk.type === "text-delta") throw broken;
        }
      })();
    });
    say("go");
    await agent.whenIdle();
    const error = { message: "the recorder failed: its disk is full", code: "UNKNOWN" };
    assert.deepEqual(
      dataOf(agent, "turn/end").map(({ reason }) => reason),
      [{ kind: "error", error }],
    );
    assert.deepEqual([asked, model.requests.length], [0, where === "after the first words" ? 1 : 0]);
    assert.equal(dataOf(agent, "step/end").length, 1);
  });
}

test("STP-7 a listener of the stream that throws because of the stop loses nothing of what was said", async (t) => {
  const { agent, say } = await testAgent(t, { script: () => ({ text: "half of it", fault: { kind: "silent", afterChunks: 3 } }) });
  agent.ctx.on("llm/stream", async function* (request, next) {
    for await (const chunk of next()) {
      yield chunk;
      if (request.purpose !== "main" || chunk.type !== "text-delta") continue;
      agent.cancel("user");
      throw new Error("stopped");
    }
  });
  say("go");
  await agent.whenIdle();
  const [answer] = dataOf(agent, "assistant/message");
  assert.ok(answer?.interrupted && textOf(answer.message).startsWith("half"));
  assert.deepEqual(dataOf(agent, "turn/end")[0]?.reason, { kind: "aborted", reason: "user" });
});

test("STP-7 a stop in the moment in which streamed text is taken leaves no error that would end the process", async (t) => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on("uncaughtExceptionMonitor", note);
  t.after(() => process.off("uncaughtExceptionMonitor", note));
  const { agent, say, model } = await testAgent(t, { script: () => ({ text: "an answer that has come whole by then" }) });
  agent.ctx.on("llm/stream", async function* (request, next) {
    for await (const chunk of next()) {
      if (request.purpose === "main" && chunk.type === "text-delta") {
        await model.requests[0]?.ended;
        agent.cancel("user");
      }
      yield chunk;
    }
  });
  say("go");
  await agent.whenIdle();
  await new Promise(setImmediate);
  assert.deepEqual([uncaught, dataOf(agent, "turn/end")[0]?.reason], [[], { kind: "aborted", reason: "user" }]);
});

test("STP-4 a request is frozen through and through, and says that it is the loop's", async (t) => {
  const { agent, say } = await testAgent(t, {
    script: () => ({ text: "ok" }),
    rows: [{ id: "tool-todo", name: "tool-todo", config: { allowParallelInProgress: true } }],
  });
  const open: string[] = [];
  const look = (value: unknown, path: string) => {
    if (typeof value !== "object" || value === null || value instanceof AbortSignal) return;
    if (!Object.isFrozen(value)) open.push(path);
    for (const [key, part] of Object.entries(value)) look(part, `${path}.${key}`);
  };
  let tools = 0;
  agent.ctx.on("llm/stream", (request, next) => {
    if (request.purpose === "main") look(request, "request");
    tools += request.purpose === "main" ? (request.tools?.length ?? 0) : 0;
    return next();
  });
  for (const text of ["one", "two"]) {
    say(text);
    await agent.whenIdle();
  }
  assert.deepEqual([open, tools], [[], 2]);
});

test("AGT-6 what runs in a loop knows its own agent, also beside another's; what runs outside knows none", async (t) => {
  const { agent, say, another } = await testAgent(t, {
    script: bySteps({ toolCalls: [{ name: "who", arguments: {} }] }, { text: "done" }),
  });
  const other = (await another({})) as typeof agent;
  const seen: [string, boolean][] = [];
  for (const one of [agent, other]) {
    const note = (where: string) => void seen.push([where, one.ctx.agents.initiator() === one]);
    one.ctx.on("agent/pre-step", (_input, next) => {
      note("pre-step");
      return next();
    });
    one.ctx.on("agent/turn-stopping", () => note("stopping"));
    one.ctx.tools.register(
      defineTool({
        name: "who",
        description: "looks who calls",
        parameters: z.object({}),
        output: z.object({}),
        execute: async () => {
          await new Promise(setImmediate);
          note("body");
          if (one === agent) other.wake(); // from inside the first one's loop
          return {};
        },
        render: () => "seen",
      }),
    );
  }
  other.send({ id: "m", role: "user", content: [{ type: "text", text: "go" }], source: { kind: "user" } }, "next-turn", false);
  say("go");
  await agent.whenIdle();
  await other.whenIdle();
  assert.equal(seen.length, 8, "four looks in each loop");
  assert.ok(
    seen.every(([, isOwn]) => isOwn),
    JSON.stringify(seen),
  );
  assert.equal(agent.ctx.agents.initiator(), undefined);
});
