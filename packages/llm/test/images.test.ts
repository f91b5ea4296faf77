import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { AttachmentId, ImageBlock, Message } from "@gantry/contracts";
import { createRoot, mount } from "@gantry/kernel";
import { bySteps, type ScriptedModel, type ScriptRequest, startScriptedModel } from "@gantry/testing";
import { pngImage } from "@gantry/testing/png-image";
import { modelFacts } from "../src/model-facts.ts";
import * as llm from "../src/plugins/llm.ts";
import { anthropicAdapter } from "../src/providers/anthropic.ts";
import { openAiAdapter } from "../src/providers/openai.ts";
import { openAiCompatibleAdapter } from "../src/providers/openai-compatible.ts";
import type { ImageSource } from "../src/request.ts";
import { key, requestOf } from "./provider-suite.ts";

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const bytes = pngImage(3, 2);
const inBase64 = bytes.toString("base64");
const image = (last: string): ImageBlock => ({
  type: "image",
  attachmentId: `0a1b2c3d-0000-8000-8000-00000000000${last}` as AttachmentId,
  mediaType: "image/png",
  width: 3,
  height: 2,
});
const asked: Message = {
  id: "m1",
  role: "user",
  content: [{ type: "text", text: "what is this?" }, image("1")],
  source: { kind: "user" },
};
const calls: Message = {
  id: "m2",
  role: "assistant",
  content: ["c1", "c2"].map((id) => ({ type: "tool-call", id, name: "read_image", arguments: "{}" })),
  source: { kind: "model", provider: "p", model: "gpt-4o" },
};
const result = (id: string, content: (ImageBlock | { type: "text"; text: string })[]): Message => ({
  id: `r-${id}`,
  role: "user",
  content: [{ type: "tool-result", toolCallId: id, content, isError: false }],
  source: { kind: "tool", callId: id },
});
const conversation = [
  asked,
  calls,
  result("c1", [{ type: "text", text: "envelope" }, image("2")]),
  result("c2", [{ type: "text", text: "plain" }]),
];
const all: ImageSource = async (blocks) =>
  blocks.map(({ width, height }) => ({ kind: "data", mediaType: "image/png", bytes, width, height }));

const wires = { "openai-compatible": openAiCompatibleAdapter, openai: openAiAdapter, anthropic: anthropicAdapter };

for (const [name, makeAdapter] of Object.entries(wires))
  describe(`images on the wire of ${name}`, () => {
    let server: ScriptedModel;
    before(async () => {
      server = await startScriptedModel(bySteps({ text: "seen" }), { key });
    });
    after(() => server.close());

    /** What arrived at the model, through the service and its projection. */
    async function sent(model: string, images?: ImageSource, messages: readonly Message[] = conversation): Promise<ScriptRequest> {
      const { ctx } = createRoot({ name: "test", logger });
      await mount(ctx, llm).settled();
      const config = { providerId: "1", slug: "p", baseUrl: server.url, models: [model], allowInsecure: true, idleTimeoutMs: 10_000 };
      const adapter = makeAdapter(config, { resolve: async () => key });
      await mount(ctx, { name: "one", inject: ["llm"], apply: (own: typeof ctx) => own.llm.register(adapter) }).settled();
      const before = JSON.stringify(messages);
      const request = requestOf({ model, messages, ...(images ? { images } : {}) });
      for await (const chunk of ctx.llm.stream(request))
        if (chunk.type === "finish") assert.equal(chunk.reason.kind, "stop", JSON.stringify(chunk));
      assert.equal(JSON.stringify(messages), before, "the log's messages are not touched");
      return server.requests.at(-1) ?? assert.fail();
    }
    const shape = ({ messages }: ScriptRequest) =>
      messages.map((message) => `${message.role}${"images" in message ? `+${message.images}` : ""}`);

    it("images of people and of tools arrive as data, each after a line that names it", async () => {
      const request = await sent("gpt-4o", all);
      assert.equal(JSON.stringify(request.body).split(inBase64).length - 1, 2);
      const place =
        name === "openai-compatible" ? ["user+1", "assistant", "tool", "tool", "user+1"] : ["user+1", "assistant", "tool+1", "tool"];
      assert.deepEqual(shape(request), place, "no message comes between the results of one batch");
      assert.match(request.messages[0]?.text ?? "", /^what is this\?\nImage 0a1b2c3d-\S+; request image 3x2px\.$/);
      assert.match(request.messages[2]?.text ?? "", /^envelope\nImage 0a1b2c3d-\S+; request image 3x2px\.$/);
    });

    it("LLM-10 a model that takes text only is told that an image was left out", async () => {
      const request = await sent("text-model", () => assert.fail("no data is fetched for it"));
      assert.deepEqual(shape(request), ["user", "assistant", "tool", "tool"]);
      assert.equal(request.messages[0]?.text, "what is this?\n[image omitted because this model accepts text only; attachment 0a1b2c3d]");
      assert.match(request.messages[2]?.text ?? "", /^envelope\n\[image omitted/);
    });

    it("without a source, and for what the source leaves out, a text stands in", async () => {
      assert.match((await sent("gpt-4o")).messages[0]?.text ?? "", /\[image omitted because it is not available/);
      const oldestOut: ImageSource = async (blocks, signal) =>
        (await all(blocks, signal)).map((one, at) => (at === 0 ? { kind: "omitted", text: "[image omitted: old]" } : one));
      const request = await sent("gpt-4o", oldestOut);
      assert.equal(request.messages[0]?.text, "what is this?\n[image omitted: old]");
      assert.equal(JSON.stringify(request.body).split(inBase64).length - 1, 1);
    });

    it("a message may be nothing but a picture, the same one twice", async () => {
      const block = image("1");
      const request = await sent("gpt-4o", all, [{ ...asked, content: [block, block] }]);
      assert.deepEqual(shape(request), ["user+2"]);
    });
  });

it("which models look at images is known by their names", () => {
  const seeing =
    "gpt-4o gpt-4.1-mini gpt-5.1 o3 o4-mini claude-sonnet-4-5 claude-3-haiku-20240307 anthropic/claude-opus-4 gemini-2.5-pro qwen2.5-vl-7b qwen/qwen3-vl:8b pixtral-12b llama-3.2-11b-vision-instruct gemma3:27b grok-2-vision glm-4.5v";
  for (const model of seeing.split(" ")) assert.equal(modelFacts(model).acceptsImages, true, model);
  const blind =
    "deepseek-chat deepseek-flash gpt-4 gpt-3.5-turbo o1-mini claude-2.1 gpt-4o-audio-preview qwen3-coder llama-3.3-70b scripted vlad-7b";
  for (const model of blind.split(" ")) assert.equal(modelFacts(model).acceptsImages, undefined, model);
});
