import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { JsonObject } from "@gantry/contracts";
import type { ScriptRequest } from "@gantry/testing";
import { pngImage } from "@gantry/testing/png-image";
import { dataOf, testAgent, until } from "./support/agent.ts";
import { memoryAttachments } from "./support/attachments.ts";

const imagesIn = ({ messages }: ScriptRequest) =>
  messages.reduce((sum, message) => sum + ("images" in message ? (message.images ?? 0) : 0), 0);
/** What people said, as the model got it. */
const texts = ({ messages }: ScriptRequest) =>
  messages.filter(({ role, text }) => role === "user" && text.startsWith("look")).map(({ text }) => text);

async function open(t: TestContext, { model = "gpt-4o", host = {} }: { model?: string; host?: Record<string, JsonObject> } = {}) {
  const memory = memoryAttachments();
  const opened = await testAgent(t, { script: () => ({ text: "seen" }), model, host, attachments: memory.store });
  const { agent } = opened;
  let turns = 0;
  const show = async (shade: number, id?: string) => {
    agent.send(await memory.showing(pngImage(8, 6, shade), id), "next-turn", true);
    turns += 1;
    await until(() => dataOf(agent, "turn/end").length === turns, `${turns} turns`);
    return opened.model.requests.at(-1) ?? assert.fail();
  };
  return { ...opened, store: memory.store, kept: memory.kept, reads: memory.reads, show };
}

test("an image of a person reaches the model with every request; the log holds its reference and no bytes", async (t) => {
  const { agent, show } = await open(t);
  assert.equal(imagesIn(await show(1)), 1);
  assert.equal(imagesIn(await show(2)), 2);
  const [first] = dataOf(agent, "user/message").filter(({ source }) => source.kind === "user");
  assert.equal(first?.content[1]?.type, "image");
  assert.ok(!JSON.stringify(agent.log.events).includes(pngImage(8, 6, 1).toString("base64").slice(40, 80)));
});

test("LLM-10 a model that takes text only gets a line in its place, and nothing is read for it", async (t) => {
  const { agent, reads, show } = await open(t, { model: "text-model" });
  const request = await show(1);
  assert.equal(imagesIn(request), 0);
  assert.match(texts(request).at(-1) ?? "", /\[image omitted because this model accepts text only; attachment [0-9a-f]{8}\]/);
  assert.deepEqual(reads, []);
  assert.ok(
    dataOf(agent, "user/message").some(({ content }) => content[1]?.type === "image"),
    "the log is as it was",
  );
});

test("EX-180 offload drops the same prefix in consecutive requests, and what was sent before stays as it was", async (t) => {
  const { agent, show } = await open(t, { host: { "image-offload": { maxImages: 3, imageQuantum: 2 } } });
  const sent: ScriptRequest[] = [];
  for (let shade = 0; shade < 8; shade++) sent.push(await show(shade));
  assert.deepEqual(sent.map(imagesIn), [1, 2, 3, 1, 2, 3, 1, 2]);
  for (const [at, request] of sent.entries()) {
    const next = sent[at + 1];
    if (!next || imagesIn(next) < imagesIn(request)) continue;
    assert.deepEqual(next.messages.slice(0, request.messages.length), request.messages, `request ${at + 1} begins with request ${at}`);
  }
  assert.match(texts(sent[3] ?? assert.fail()).find((text) => text.includes("[image omitted")) ?? "", /^look .*\n\[image omitted/);
  const logged = dataOf(agent, "user/message").filter(({ content }) => content.some(({ type }) => type === "image"));
  assert.equal(logged.length, 8, "history is never rewritten");
});

test("PRN-2 bytes count as the request carries them", async (t) => {
  const bytes = pngImage(8, 6, 0).length;
  const inBase64 = Math.ceil(bytes / 3) * 4;
  const { show } = await open(t, { host: { "image-offload": { maxInlineBytes: inBase64 * 2 + 8, inlineQuantumBytes: inBase64 } } });
  const counts: number[] = [];
  for (let shade = 0; shade < 4; shade++) counts.push(imagesIn(await show(shade)));
  assert.deepEqual(counts, [1, 2, 1, 2]);
});

test("an image that is lost for good becomes a line, and the session goes on", async (t) => {
  const { kept, show } = await open(t);
  await show(1, "first");
  kept.clear();
  const request = await show(2, "second");
  const said = texts(request);
  assert.match(said[0] ?? "", /^look first\n\[image omitted because what was stored of it cannot be read\]$/);
  assert.match(said[1] ?? "", /^look second\nImage [0-9a-f-]{36}; request image 8x6px\.$/);
});

test("a store that fails for a moment is a failed attempt, which is made again", async (t) => {
  const { store, show, agent } = await open(t, { host: { "llm-retry": { baseDelayMs: 1, maxDelayMs: 1 } } });
  const { requestImage } = store;
  let failures = 2;
  store.requestImage = (id) => (failures-- > 0 ? Promise.reject(new Error("disk is away")) : requestImage(id));
  assert.equal(imagesIn(await show(1)), 1);
  assert.equal(dataOf(agent, "turn/end").at(-1)?.reason.kind, "completed");
});
