import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ContentBlock, Message } from "@gantry/contracts";
import { type ScriptedModel, startScriptedModel } from "@gantry/testing";
import type { LlmAdapter } from "../src/adapter.ts";
import type { Credentials } from "../src/credentials.ts";
import type { ProviderConfig } from "../src/provider-config.ts";
import { anthropicAdapter } from "../src/providers/anthropic.ts";
import { deepSeekAdapter } from "../src/providers/deepseek.ts";
import { openAiAdapter } from "../src/providers/openai.ts";
import { openAiCompatibleAdapter } from "../src/providers/openai-compatible.ts";
import { collect, key, requestOf, user } from "./provider-suite.ts";

type Make = (config: ProviderConfig, credentials: Credentials) => LlmAdapter;
const wires: Record<string, Make> = {
  "openai-compatible": openAiCompatibleAdapter,
  deepseek: deepSeekAdapter,
  openai: openAiAdapter,
  anthropic: anthropicAdapter,
};

const answer = (...content: ContentBlock[]): Message => ({
  id: "a",
  role: "assistant",
  content,
  source: { kind: "model", provider: "another", model: "m" },
});
const result = (toolCallId: string, text: string): Message => ({
  id: "r",
  role: "user",
  content: [{ type: "tool-result", toolCallId, content: [{ type: "text", text }], isError: true }],
  source: { kind: "tool", callId: toolCallId },
});

/** What every one of these servers refuses a whole conversation for, whenever it is sent again. */
for (const [name, make] of Object.entries(wires))
  describe(`what a model wrote goes back to ${name} in a form that it takes`, () => {
    let server: ScriptedModel;
    before(async () => {
      server = await startScriptedModel(() => ({ text: "ok" }), { key });
    });
    after(() => server.close());
    const sent = async (...messages: Message[]) => {
      const config = { providerId: "1", slug: "p", models: ["scripted"], allowInsecure: true, idleTimeoutMs: 10_000, baseUrl: server.url };
      const { finish } = await collect(make(config, { resolve: async () => key }), requestOf({ messages: [user("go"), ...messages] }));
      assert.deepEqual(finish, { kind: "stop" });
      return server.requests.at(-1) ?? assert.fail();
    };

    it("STP-9 names that no tool can have, and ids that are too long, stay apart from each other and together with their results", async () => {
      const names = ["run it", "run/it", "n".repeat(10_000), "läs", ""];
      const ids = names.map((_, at) => `${"i".repeat(100)}${at}`);
      const calls = names.map((called, at) => ({ type: "tool-call" as const, id: ids[at] ?? "", name: called, arguments: "{}" }));
      const { messages } = await sent(answer(...calls), ...ids.map((id) => result(id, "unknown tool")));
      const back = messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
      assert.equal(back.length, names.length);
      for (const call of back) assert.match(call.name, /^[A-Za-z0-9_-]{1,64}$/);
      assert.equal(new Set(back.map((call) => call.name)).size, names.length);
      for (const { id } of back) assert.ok(id.length > 0 && id.length <= 64, id);
      const answered = messages.flatMap((message) => (message.role === "tool" ? [message.callId] : []));
      assert.deepEqual(
        answered,
        back.map(({ id }) => id),
      );
    });

    it("names and ids that fit are not touched", async () => {
      const call = { type: "tool-call" as const, id: "call_00-Ab", name: "mcp__files-read", arguments: "{}" };
      const { messages } = await sent(answer(call), result(call.id, "x"));
      assert.deepEqual(
        messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : [])).map(({ id, name: called }) => [id, called]),
        [[call.id, call.name]],
      );
    });
  });

for (const name of ["openai", "anthropic"] as const)
  it(`DSK-3 text without a word is no part of a message for ${name}, which would refuse it`, async (t) => {
    const server = await startScriptedModel(() => ({ text: "ok" }), { key });
    t.after(() => server.close());
    const config = { providerId: "1", slug: "p", models: ["scripted"], allowInsecure: true, idleTimeoutMs: 10_000, baseUrl: server.url };
    const call = { type: "tool-call" as const, id: "c", name: "read", arguments: "{}" };
    const messages = [
      user("go"),
      answer({ type: "text", text: "\n\n" }, call),
      result("c", " \n"),
      answer({ type: "text", text: " " }),
      user("on"),
    ];
    await collect((wires[name] ?? assert.fail())(config, { resolve: async () => key }), requestOf({ messages }));
    const { messages: seen, body } = server.requests.at(-1) ?? assert.fail();
    const texts = JSON.stringify(body.messages ?? body.input).match(/"(?:text|content|output)":"(?:\\n|\\s| )*"/g);
    assert.equal(texts, null);
    assert.deepEqual(
      seen.filter(({ role }) => role !== "user").map(({ role, text }) => [role, text]),
      [
        ["assistant", ""],
        ["tool", name === "openai" ? '{"error":"(no output)"}' : "(no output)"],
      ],
    );
  });
