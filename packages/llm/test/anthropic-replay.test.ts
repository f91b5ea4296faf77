import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ContentBlock, Json, Message } from "@gantry/contracts";
import { type ScriptedModel, signatureOf, startScriptedModel } from "@gantry/testing";
import { anthropicAdapter } from "../src/providers/anthropic.ts";
import { collect, key, requestOf, user } from "./provider-suite.ts";

describe("Anthropic replay state", () => {
  let server: ScriptedModel;
  before(async () => {
    server = await startScriptedModel(() => ({ text: "ok" }));
  });
  after(() => server.close());

  const adapter = () =>
    anthropicAdapter(
      { providerId: "1", slug: "p", baseUrl: server.url, models: [], allowInsecure: true, idleTimeoutMs: 10_000 },
      { resolve: async () => key },
    );
  const answer = (content: ContentBlock[], replayState?: Json, provider = "p"): Message => ({
    id: "a",
    role: "assistant",
    content,
    source: {
      kind: "model",
      provider,
      model: "m",
      ...(replayState === undefined ? {} : { replayState: JSON.parse(JSON.stringify(replayState)) }),
    },
  });
  /** The assistant content the provider gets for a history with this answer. */
  const sent = async (message: Message) => {
    await collect(adapter(), requestOf({ messages: [user("x"), message, user("y")] }));
    const messages = server.requests.at(-1)?.body.messages as { role: string; content: { type: string; [field: string]: unknown }[] }[];
    return messages.find(({ role }) => role === "assistant")?.content ?? [];
  };
  const thought: ContentBlock[] = [
    { type: "reasoning", text: "hm" },
    { type: "text", text: "said" },
  ];
  const state = { kind: "anthropic", blocks: [{ signature: "s1" }, null] };

  it("keeps each thinking block's signature with its place", async () => {
    server.use(() => ({ reasoning: "Let me see.", text: "Here.", toolCalls: [{ name: "read", arguments: {} }] }));
    const { replayState } = await collect(adapter());
    assert.deepEqual(replayState, { kind: "anthropic", blocks: [{ signature: signatureOf("Let me see.") }, null, null] });
    server.use(() => ({ text: "ok" }));
    const [thinking] = await sent(answer(thought, state));
    assert.deepEqual([thinking?.type, thinking?.thinking, thinking?.signature], ["thinking", "hm", "s1"]);
  });

  it("drops it for another provider, another count of blocks and another kind of state (LLM-8)", async () => {
    const types = async (message: Message) => (await sent(message)).map((block) => block.type);
    assert.deepEqual(await types(answer(thought, state, "other")), ["text"]);
    assert.deepEqual(await types(answer(thought, { ...state, blocks: [{ signature: "s1" }] })), ["text"]);
    assert.deepEqual(await types(answer(thought, { ...state, kind: "else" })), ["text"]);
    assert.deepEqual(await types(answer(thought)), ["text"]);
  });

  it("results come right behind their calls, also out of a message that says something besides", async () => {
    const call = answer([{ type: "tool-call", id: "c", name: "read", arguments: "{}" }]);
    const content: ContentBlock[] = [
      { type: "text", text: "and then" },
      { type: "tool-result", toolCallId: "c", content: [{ type: "text", text: "out" }], isError: false },
    ];
    await collect(adapter(), requestOf({ messages: [user("x"), call, { ...user(""), content }] }));
    const messages = server.requests.at(-1)?.body.messages as { content: { type: string }[] }[];
    assert.deepEqual(
      messages.at(-1)?.content.map(({ type }) => type),
      ["tool_result", "text"],
    );
  });

  it("sealed thinking has a block without text, and goes back sealed", async () => {
    const events = [
      { type: "message_start", message: { id: "m", model: "m", content: [], usage: { input_tokens: 1, output_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: { type: "redacted_thinking", data: "sealed" } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "hi" } },
      { type: "content_block_stop", index: 1 },
      { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 3 } },
    ];
    server.use(() => ({ rawData: events.map((event) => JSON.stringify(event)) }));
    const { chunks, content, replayState } = await collect(adapter());
    assert.deepEqual(content, [
      { type: "reasoning", text: "" },
      { type: "text", text: "hi" },
    ]);
    assert.ok(
      chunks.some((chunk) => chunk.type === "reasoning-delta" && chunk.index === 0),
      "a reader of deltas counts the block too",
    );
    server.use(() => ({ text: "ok" }));
    const [first] = await sent(answer(content, replayState));
    assert.deepEqual([first?.type, first?.data], ["redacted_thinking", "sealed"]);
  });

  it("call ids of other providers are put into the alphabet of this one, on both sides", async () => {
    const ids = ["functions.read:0", "functions_read_0", "x".repeat(64), "x".repeat(65), "x".repeat(66), "é"];
    const messages: Message[] = [
      user("x"),
      answer(ids.map((id) => ({ type: "tool-call", id, name: "read", arguments: "" }))),
      {
        id: "r",
        role: "user",
        content: ids.map((toolCallId) => ({ type: "tool-result", toolCallId, content: [{ type: "text", text: "no" }], isError: true })),
        source: { kind: "tool", callId: "functions.read:0" },
      },
    ];
    await collect(adapter(), requestOf({ messages }));
    const body = server.requests.at(-1)?.body.messages as { content: { [field: string]: unknown }[] }[];
    const calls = body[1]?.content.map(({ id }) => id) ?? [];
    assert.ok(
      calls.every((id) => /^[A-Za-z0-9_-]{1,64}$/.test(String(id))),
      String(calls),
    );
    assert.equal(new Set(calls).size, ids.length, "no two become one");
    assert.deepEqual(
      body[2]?.content.map(({ tool_use_id }) => tool_use_id),
      calls,
    );
    assert.deepEqual([calls[1], body[1]?.content[0]?.input, body[2]?.content[0]?.is_error], ["functions_read_0", {}, true]);
  });

  it("marks system prompt and newest message for reuse, and leaves thinking off for side calls", async () => {
    await collect(adapter(), requestOf({ system: "S", purpose: "session-title" }));
    const { body } = server.requests.at(-1) ?? assert.fail();
    const mark = { type: "ephemeral" };
    assert.deepEqual((body.system as { cache_control: object }[])[0]?.cache_control, mark);
    const last = (body.messages as { content: { cache_control?: object }[] }[]).at(-1);
    assert.deepEqual(last?.content.at(-1)?.cache_control, mark);
    assert.equal(body.thinking, undefined);
  });
});
