import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallConfig } from "@gantry/contracts";
import type { LlmRequest } from "@gantry/llm";
import { defineTool } from "@gantry/tools";
import { z } from "zod";
import { adapter, says } from "./support/adapter.ts";
import { dataOf, testAgent, until } from "./support/agent.ts";
import { draft, logOf, userMessage } from "./support/log.ts";

type TestAgent = Awaited<ReturnType<typeof testAgent>>["agent"];
const ok = () => ({ text: "ok" });
const headers = (agent: TestAgent) => dataOf(agent, "request/header");
const configs = (agent: TestAgent) => headers(agent).map(({ header }) => header.config);
const ends = (agent: TestAgent) => dataOf(agent, "turn/end").map(({ reason }) => reason.kind);

/** Sends one message and waits for its turn. */
async function turn(agent: TestAgent, id: string): Promise<void> {
  agent.send(userMessage(id), "next-turn", true);
  await agent.whenIdle();
}
/** Puts later requests on another route. */
function route(agent: TestAgent, change: Partial<CallConfig>): () => unknown {
  return agent.ctx.on("agent/request", async (_input, next) => ({ ...(await next()), ...change }));
}

test("AG-204 an output limit that the adapter filled in gives way to the next adapter's; a chosen one stays", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  const [one, two] = [adapter("one", { maxTokens: 111 }, () => says("hi")), adapter("two", { maxTokens: 222 }, () => says("hi"))];
  agent.ctx.llm.register(one);
  agent.ctx.llm.register(two);
  const undo = route(agent, { provider: "one", model: "m" });
  await turn(agent, "a");
  await undo();
  const undoTwo = route(agent, { provider: "two", model: "m" });
  await turn(agent, "b");
  await undoTwo();
  const undoChosen = route(agent, { provider: "one", model: "m", maxTokens: 50 });
  await turn(agent, "c");
  await undoChosen();
  route(agent, { provider: "two", model: "m" });
  await turn(agent, "d");
  assert.deepEqual(
    headers(agent).map(({ header }) => [header.config.provider, header.config.maxTokens, header.adapterDefaults ?? []]),
    [
      ["one", 111, ["maxTokens"]],
      ["two", 222, ["maxTokens"]],
      ["one", 50, []],
      ["two", 50, []],
    ],
  );
  assert.deepEqual([one.requests[0]?.maxTokens, two.requests[1]?.maxTokens], [111, 50]);
});

test("STP-1 the first request of a loop takes the agent's route, and keeps an effort that was chosen for it", async (t) => {
  const header = (config: CallConfig, adapterDefaults?: ["reasoningEffort"]) =>
    logOf(
      draft.turnStart(1),
      { type: "request/header", data: { header: { config, ...(adapterDefaults ? { adapterDefaults } : {}) }, reason: "initial" } },
      draft.turnEnd(1),
    );
  const efforts = async (events: ReturnType<typeof logOf>) => {
    const { agent } = await testAgent(t, { script: ok, events });
    await turn(agent, "a");
    return [configs(agent).at(-1)?.reasoningEffort, headers(agent).at(-1)?.reason];
  };
  const same = { provider: "scripted", model: "test", reasoningEffort: "low" };
  assert.deepEqual(await efforts(header(same)), ["low", "resume"]);
  assert.deepEqual(await efforts(header(same, ["reasoningEffort"])), [undefined, "resume"]);
  assert.deepEqual(await efforts(header({ ...same, model: "other" })), [undefined, "resume"]);
});

test("STP-1 a request without a model fails its turn and names the two places to choose one", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  route(agent, { model: "" });
  await turn(agent, "a");
  const [end] = dataOf(agent, "turn/end");
  assert.match(end?.reason.kind === "error" ? end.reason.error.message : "", /give the agent a provider and a model.*agent\/request/);
});

test("AG-183 what is empty in a header is left out, an equal header is not logged again, and the order of tools counts", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  const tool = (name: string) => ({ name, description: name, parameters: { type: "object" } });
  let tools = [tool("a"), tool("b")];
  agent.ctx.on("system-prompt/assemble", async (_request, next) => ({ ...(await next()), sections: [], tools }));
  route(agent, { reasoningEffort: "" });
  await turn(agent, "a");
  await turn(agent, "b");
  tools = tools.toReversed();
  await turn(agent, "c");
  assert.deepEqual(
    headers(agent).map(({ header, reason }) => [
      reason,
      header.tools?.map(({ name }) => name),
      "system" in header,
      "reasoningEffort" in header.config,
    ]),
    [
      ["initial", ["a", "b"], false, false],
      ["change", ["b", "a"], false, false],
    ],
  );
});

test("SES-18 what is sent is the logged header and the history, and nobody can change it", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  const fake = adapter("fake", {}, () => says("hi"));
  agent.ctx.llm.register(fake);
  agent.ctx.tools.register(
    defineTool({
      name: "noop",
      description: "d",
      parameters: z.object({}),
      output: z.object({}),
      execute: () => Promise.resolve({}),
      render: () => "",
    }),
  );
  route(agent, { provider: "fake", model: "m" });
  const sent: LlmRequest[] = [];
  agent.ctx.on("llm/stream", (request, next) => {
    if (request.purpose === "main") sent.push(request);
    return next();
  });
  await turn(agent, "a");
  const { messages, tools, system, provider, model } = sent[0] as LlmRequest;
  const header = headers(agent)[0]?.header;
  assert.deepEqual([{ provider, model }, tools, system], [header?.config, header?.tools, header?.system]);
  assert.deepEqual(JSON.parse(JSON.stringify(messages)), JSON.parse(JSON.stringify(dataOf(agent, "user/message"))));
  assert.throws(() => Object.assign(sent[0] as object, { model: "x" }), TypeError);
});

test("AG-201 an answer without any text and usage is kept as an empty record", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  const blank = adapter("fake", {}, () => [
    { type: "block-start", index: 0, blockType: "text" },
    { type: "block-end", index: 0, block: { type: "text", text: "" } },
    { type: "finish", reason: { kind: "stop" } },
  ]);
  agent.ctx.llm.register(blank);
  route(agent, { provider: "fake", model: "m" });
  await turn(agent, "a");
  await turn(agent, "b");
  const [answer] = dataOf(agent, "assistant/message");
  assert.deepEqual([answer?.message.content, answer?.usage, ends(agent)], [[], undefined, ["completed", "completed"]]);
  assert.ok(blank.requests[1]?.messages.every((message) => message.role === "user"));
});

test("STP-8 a cut-off answer loses its calls, and what the provider wants back loses their entries", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  const replies = [["one", "two"], ["one"]];
  const cut = adapter("fake", {}, () => [
    { type: "text-delta", index: 0, text: "half" },
    { type: "tool-call-delta", index: 1, id: "c", name: "x", argumentsDelta: "{" },
    { type: "finish", reason: { kind: "max-tokens" }, replayState: { kind: "fake", blocks: replies.shift() ?? [] } },
  ]);
  agent.ctx.llm.register(cut);
  route(agent, { provider: "fake", model: "m" });
  await turn(agent, "a");
  await turn(agent, "b");
  const sources = dataOf(agent, "assistant/message").map(({ message }) => message.source);
  assert.deepEqual(
    sources.map((source) => source.kind === "model" && source.replayState),
    [{ kind: "fake", blocks: ["one"] }, undefined],
  );
  assert.deepEqual([ends(agent), dataOf(agent, "tool/call").length], [["max-tokens", "max-tokens"], 0]);
});

test("AG-057 a stop in the middle of a call's arguments keeps the text and drops the call", async (t) => {
  const { agent, frames } = await testAgent(t, { script: ok });
  const half = adapter("fake", {}, async function* (_request, signal) {
    yield { type: "text-delta", index: 0, text: "I will look" };
    yield { type: "tool-call-delta", index: 1, id: "c", name: "read", argumentsDelta: '{"file' };
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  });
  agent.ctx.llm.register(half);
  route(agent, { provider: "fake", model: "m" });
  agent.send(userMessage("a"), "next-turn", true);
  await until(() => frames.some((frame) => frame.kind === "delta" && frame.run.block === "tool-call"), "half a call");
  agent.cancel("user");
  await agent.whenIdle();
  const [answer] = dataOf(agent, "assistant/message");
  assert.deepEqual([answer?.interrupted, answer?.message.content], [true, [{ type: "text", text: "I will look" }]]);
  assert.deepEqual([ends(agent), dataOf(agent, "tool/call").length], [["aborted"], 0]);
});

test("AG-068 five failures and then a success are five logged retries and one answer", async (t) => {
  const { agent } = await testAgent(t, { script: ok, host: { "llm-retry": { baseDelayMs: 1, maxDelayMs: 2 } } });
  let attempts = 0;
  const flaky = adapter("fake", {}, () => {
    attempts += 1;
    if (attempts > 5) return says("at last");
    return [{ type: "finish", reason: { kind: "error", failure: { code: "SERVER", message: "broken" } } }];
  });
  agent.ctx.llm.register(flaky);
  route(agent, { provider: "fake", model: "m" });
  await turn(agent, "a");
  assert.deepEqual(
    [
      dataOf(agent, "llm/retry").map(({ retry }) => retry),
      dataOf(agent, "llm/retry-started").length,
      dataOf(agent, "assistant/message").length,
    ],
    [[1, 2, 3, 4, 5], 5, 1],
  );
  assert.deepEqual([ends(agent), dataOf(agent, "step/start").length], [["completed"], 1]);
});

test("STP-6 an error of the log in the middle of an answer ends the turn and is not taken for a failure of the model", async (t) => {
  const { agent } = await testAgent(t, { script: ok, host: { "llm-retry": { mode: "always", baseDelayMs: 1, maxDelayMs: 2 } } });
  const fake = adapter("fake", {}, () => says("hi"));
  agent.ctx.llm.register(fake);
  route(agent, { provider: "fake", model: "m" });
  const append = agent.log.append.bind(agent.log);
  agent.log.append = (event, time) => {
    if (event.type === "assistant/chunk") throw new Error("the log refuses");
    return append(event, time);
  };
  await turn(agent, "a");
  const [end] = dataOf(agent, "turn/end");
  assert.deepEqual([end?.reason, fake.requests.length], [{ kind: "error", error: { message: "the log refuses", code: "UNKNOWN" } }, 1]);
  assert.equal(dataOf(agent, "step/end").length, 1);
});

test("STP-2 a route that no adapter serves may be served by a listener of the stream", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  agent.ctx.on("llm/stream", async function* (request, next) {
    if (request.provider === "elsewhere") yield* says("from the listener");
    else yield* next();
  });
  route(agent, { provider: "elsewhere", model: "m" });
  await turn(agent, "a");
  assert.deepEqual([ends(agent), dataOf(agent, "request/context")], [["completed"], [{ provider: "elsewhere", model: "m" }]]);
});
