import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { AttachmentId } from "@gantry/contracts";
import { scopeTarget } from "@gantry/kernel";
import { dataOf, testAgent, types, until } from "./support/agent.ts";
import { userMessage } from "./support/log.ts";

const titles = (agent: Parameters<typeof dataOf>[0]) => dataOf(agent, "session/title").map(({ title, source }) => [title, source.kind]);

test("TTL-2 the first prompt is named by the model, after the main request and with its audit record before", async (t) => {
  const { agent, model, say } = await testAgent(t, {
    script: () => ({ text: "done" }),

    titles: () => ({ text: " Fix the\u0007 flaky test \n" }),
  });
  say("please fix the test that fails at random in the parser");
  await until(() => titles(agent).length === 2, "the model's title");
  assert.deepEqual(titles(agent), [
    ["please fix the test that", "fallback"],
    ["Fix the flaky test", "provider"],
  ]);
  const order = types(agent);
  assert.ok(order.indexOf("request/header") < order.indexOf("session/title-llm-request"));
  assert.equal(model.titleRequests.length, 1);
  assert.match(
    model.titleRequests[0]?.messages[0]?.role === "user" ? model.titleRequests[0].messages[0].text : "",
    /^\[\{"seq":\d+,"text":"please/,
  );
  say("and another thing");
  await until(() => dataOf(agent, "turn/end").length === 2, "the second turn");
  assert.equal(model.titleRequests.length, 1, "the first prompt alone names a session");
});

test("TTL-1 TTL-2 a session that begins with a picture alone is named by its first words, though their request has no header of its own", async (t) => {
  const { agent, model, say } = await testAgent(t, { script: () => ({ text: "done" }), titles: () => ({ text: "Fix the button" }) });
  const image = {
    type: "image" as const,
    attachmentId: randomUUID() as AttachmentId,
    mediaType: "image/png" as const,
    width: 1,
    height: 1,
  };
  agent.send({ ...userMessage("picture"), content: [image] }, "next-turn", true);
  await agent.whenIdle();
  assert.equal(model.titleRequests.length, 0);
  say("this button is broken");
  await until(() => titles(agent).length === 2, "the model's title");
  assert.deepEqual(titles(agent).at(-1), ["Fix the button", "provider"]);
  const order = types(agent);
  assert.equal(dataOf(agent, "request/header").length, 1);
  assert.ok(order.lastIndexOf("step/start") < order.indexOf("session/title-llm-request"));
});

test("AG-024 a person's title during the call stands; the model's is dropped", async (t) => {
  const { agent, model, say } = await testAgent(t, {
    script: () => ({ text: "done" }),

    titles: () => ({ text: "Too late", delayMs: 100, chunkSize: 3 }),
  });
  say("name me");
  await until(() => model.titleRequests.length === 1, "the title call");
  agent.log.append({ type: "session/title", data: { title: "Mine", messageSeqs: [], source: { kind: "user" } } });
  assert.equal(await model.titleRequests[0]?.ended, "server");
  await until(() => dataOf(agent, "turn/end").length === 1, "the turn");
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(titles(agent).at(-1), ["Mine", "user"]);
});

test("AG-025 a prompt above the limit is not sent; an answer that is no title leaves the fallback", async (t) => {
  const long = await testAgent(t, { script: () => ({ text: "done" }), titles: () => ({ text: "never" }) });
  long.say("x".repeat(4_097));
  await until(() => dataOf(long.agent, "turn/end").length === 1, "the turn");
  assert.equal(long.model.titleRequests.length, 0);
  for (const reply of [{ toolCalls: [{ name: "bash", arguments: {} }] }, { text: "cut", finish: "length" }, { text: "  " }]) {
    const { agent, say, warnings } = await testAgent(t, { script: () => ({ text: "done" }), titles: () => reply });
    say("short prompt");
    await until(() => dataOf(agent, "turn/end").length === 1, "the turn");
    await until(() => warnings.some(({ text }) => text.startsWith("no title from the model")), "the warning (TTL-4)");
    assert.deepEqual(titles(agent), [["short prompt", "fallback"]]);
  }
});

test("AG-244 a call that was queued and then called off does nothing: no record, no request", async (t) => {
  const { agent, model, say } = await testAgent(t, { script: () => ({ text: "done" }), titles: () => ({ text: "never" }) });
  // in the tick in which the call was queued
  agent.ctx.on("session/event", ({ event }) => {
    if (event.type === "request/header") agent.ctx.emit(scopeTarget(agent), "agents/disposed", agent);
  });
  say("name me");
  await agent.whenIdle();
  assert.deepEqual([dataOf(agent, "session/title-llm-request"), model.titleRequests.length], [[], 0]);
  assert.deepEqual(titles(agent), [["name me", "fallback"]]);
});

test("AG-244 a byte cap below the first character gives no title", async () => {
  const { cleanTitle } = await import("../src/titles/title-text.ts");
  assert.equal(cleanTitle("🙂 smile", { maxWords: 5, maxBytes: 3 }), "");
  assert.equal(cleanTitle("🙂 smile", { maxWords: 5, maxBytes: 4 }), "🙂");
});
