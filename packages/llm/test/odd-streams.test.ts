import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { AppError, type Message } from "@gantry/contracts";
import { type Reply, type ScriptedModel, startScriptedModel } from "@gantry/testing";
import { openAiCompatibleAdapter } from "../src/providers/openai-compatible.ts";
import { collect, key, requestOf, user } from "./provider-suite.ts";

/** What chat-completions servers and models really send: all of it must become data. */
describe("odd chat-completions streams", () => {
  let server: ScriptedModel;
  before(async () => {
    server = await startScriptedModel(() => ({}), { key });
  });
  after(() => server.close());

  const config = { providerId: "1", slug: "p", models: ["scripted"], allowInsecure: true, idleTimeoutMs: 10_000 };
  const adapter = () => openAiCompatibleAdapter({ ...config, baseUrl: server.url }, { resolve: async () => key });
  const ask = (reply: Reply, request = requestOf()) => {
    server.use(() => reply);
    return collect(adapter(), request);
  };
  const raw = (...events: unknown[]) =>
    ask({ rawData: events.map((event) => (typeof event === "string" ? event : JSON.stringify(event))) });
  const delta = (value: object, finish: string | null = null) => ({ choices: [{ index: 0, delta: value, finish_reason: finish }] });
  const call = (index: number, fields: object) => delta({ tool_calls: [{ index, ...fields }] });
  const codeOf = ({ finish }: Awaited<ReturnType<typeof raw>>) => (finish?.kind === "error" ? finish.failure.code : finish?.kind);

  it("gives an id to a call that came without one, and another to a repeated one", async () => {
    const fn = (name: string) => ({ function: { name, arguments: "{}" } });
    const { content } = await raw(
      call(0, fn("read")),
      call(1, { id: "x", ...fn("glob") }),
      call(2, { id: "x", ...fn("grep") }),
      delta({}, "tool_calls"),
    );
    const calls = content.filter((block) => block.type === "tool-call");
    assert.deepEqual(
      calls.map((block) => block.name),
      ["read", "glob", "grep"],
    );
    assert.equal(new Set(calls.map((block) => block.id)).size, 3);
    assert.ok(calls.every((block) => block.id !== ""));
  });

  it("a call that never gets a name is MALFORMED_RESPONSE", async () => {
    assert.equal(codeOf(await raw(call(0, { id: "a", function: { arguments: "{}" } }), delta({}, "tool_calls"))), "MALFORMED_RESPONSE");
  });

  it("“stop” after a tool call means tool calls; no finish word at all means stop", async () => {
    assert.equal(codeOf(await raw(call(0, { id: "a", function: { name: "read", arguments: "{}" } }), delta({}, "stop"))), "tool-calls");
    assert.equal(codeOf(await raw(delta({ content: "hi" }))), "stop");
  });

  it("counts that are no counts do not reach the log", async () => {
    const usage = { prompt_tokens: -5, completion_tokens: 7.6, prompt_tokens_details: { cached_tokens: 1e308 } };
    const { usage: seen } = await raw(delta({ content: "x" }, "stop"), { choices: [], usage });
    assert.deepEqual(seen, { inputTokens: 0, outputTokens: 8, cacheReadTokens: 1_000_000_000 });
    assert.equal(codeOf(await raw(delta({ content: "x" }, "stop"), '{"choices":[],"usage":{"prompt_tokens":NaN}}')), "MALFORMED_RESPONSE");
  });

  it("the last usage wins and DeepSeek's cache field is understood", async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 5, prompt_cache_hit_tokens: 60 };
    const first = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } };
    assert.deepEqual((await raw(first, delta({ content: "x" }, "stop"), { choices: [], usage })).usage, {
      inputTokens: 40,
      outputTokens: 5,
      cacheReadTokens: 60,
    });
  });

  it("one delta of two megabytes passes whole", async () => {
    const { content } = await raw(delta({ content: "y".repeat(2_000_000) }), delta({}, "stop"));
    assert.equal(content[0]?.type === "text" && content[0].text.length, 2_000_000);
  });

  it("an answer without end stops at the size limit", async () => {
    const piece = delta({ content: "z".repeat(4_000_000) });
    const { content, finish } = await raw(piece, piece, piece, piece, piece);
    assert.equal(finish?.kind === "error" && finish.failure.code, "MALFORMED_RESPONSE");
    assert.ok(content[0]?.type === "text" && content[0].text.length <= 20_000_000);
  });

  it("thinking before and after text stays one block, in order of first appearance", async () => {
    const { content } = await raw(
      delta({ reasoning_content: "a" }),
      delta({ content: "b" }),
      delta({ reasoning_content: "c" }),
      delta({ content: "d" }, "stop"),
    );
    assert.deepEqual(content, [
      { type: "reasoning", text: "ac" },
      { type: "text", text: "bd" },
    ]);
  });

  it("an error inside the stream is classified by its words", async () => {
    assert.equal(codeOf(await raw({ error: { message: "Rate limit reached", code: "rate_limit_exceeded" } })), "RATE_LIMIT");
    assert.equal(
      codeOf(await raw({ error: { message: "This model's maximum context length is 10", code: "context_length_exceeded" } })),
      "CONTEXT_WINDOW_EXCEEDED",
    );
    assert.equal(codeOf(await raw(delta({ content: "a" }), { error: { message: "x", code: 503 } })), "SERVER");
  });

  it("an empty end mark alone is EMPTY_RESPONSE", async () => {
    assert.equal(codeOf(await raw()), "EMPTY_RESPONSE");
  });

  it("never sends null content, and sends arguments that are no object wrapped", async () => {
    const messages: Message[] = [
      user("x"),
      {
        id: "2",
        role: "assistant",
        content: [{ type: "tool-call", id: "a", name: "read", arguments: '{"half' }],
        source: { kind: "model", provider: "p", model: "m" },
      },
      {
        id: "3",
        role: "user",
        content: [
          { type: "tool-result", toolCallId: "a", content: [{ type: "text", text: "bad" }], isError: true },
          { type: "text", text: "and" },
        ],
        source: { kind: "user" },
      },
    ];
    await ask({ text: "ok" }, requestOf({ messages }));
    const sent = server.requests.at(-1)?.body.messages as {
      role: string;
      content: unknown;
      tool_calls?: { function: { arguments: string } }[];
    }[];
    assert.deepEqual(
      sent.map((message) => message.role),
      ["user", "assistant", "user", "tool"],
    );
    assert.equal(sent[1]?.content, "");
    assert.deepEqual(JSON.parse(sent[1]?.tool_calls?.[0]?.function.arguments ?? ""), { invalid_arguments: '{"half' });
  });

  it("CP-52 a call whose arguments nest without end does not close the session: it goes back as the text it was", async () => {
    const nested = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;
    const call = { type: "tool-call" as const, id: "deep", name: "read", arguments: nested };
    const message: Message = { id: "m", role: "assistant", content: [call], source: { kind: "model", provider: "p", model: "scripted" } };
    assert.equal(codeOf(await ask({ text: "ok" }, requestOf({ messages: [user("go"), message, user("on")] }))), "stop");
    const { body } = server.requests.at(-1) ?? assert.fail();
    const [, sent] = body.messages as { tool_calls: { function: { arguments: string } }[] }[];
    assert.deepEqual(JSON.parse(sent?.tool_calls[0]?.function.arguments ?? ""), { invalid_arguments: nested });
  });

  it("LLM-8 thinking goes back under the name that the server gave it, and under the usual one to everybody else", async () => {
    const answered = async (...deltas: object[]) => {
      const { content, replayState } = await raw(...deltas.map((value) => delta(value)), delta({}, "stop"));
      const replay = replayState === undefined ? {} : { replayState };
      const source = { kind: "model" as const, provider: "p", model: "m", ...replay };
      return Object.freeze({ id: "a", role: "assistant" as const, content, source }) as Message;
    };
    const sent = async (message: Message, provider = "p") => {
      await ask({ text: "ok" }, requestOf({ messages: [user("x"), message, user("y")], provider }));
      const { body } = server.requests.at(-1) ?? assert.fail();
      const [, { role: _, ...fields } = {}] = body.messages as Record<string, unknown>[];
      return fields;
    };
    const named = await answered({ reasoning: "hm" }, { content: "so" });
    assert.deepEqual(await sent(named), { content: "so", reasoning: "hm" });
    const usual = await answered({ reasoning_content: "hm" }, { content: "so" });
    assert.deepEqual(await sent(usual), { content: "so", reasoning_content: "hm" });
    // another provider has never said how it calls it; and back again
    const elsewhere = { ...named, source: { ...named.source, provider: "other" } } as Message;
    assert.deepEqual(await sent(elsewhere), { content: "so", reasoning_content: "hm" });
    assert.deepEqual(await sent(named), { content: "so", reasoning: "hm" });
  });

  it("SC-K2 a stored key that cannot be opened says so, and what to do", async () => {
    const unreadable = new AppError("SECRET_UNREADABLE", "The stored key cannot be opened. Enter it again.");
    const { finish } = await collect(
      openAiCompatibleAdapter({ ...config, baseUrl: server.url }, { resolve: () => Promise.reject(unreadable) }),
    );
    const { code, message } = finish?.kind === "error" ? finish.failure : assert.fail();
    assert.deepEqual([code, message], ["INVALID_CREDENTIAL", unreadable.message]);
  });

  it("asks for usage, passes a known effort on and refuses an unknown one unsent", async () => {
    await ask({ text: "ok" }, requestOf({ reasoningEffort: "low", maxTokens: 77 }));
    const { body } = server.requests.at(-1) ?? assert.fail();
    assert.deepEqual(
      [body.stream, body.stream_options, body.reasoning_effort, body.max_tokens],
      [true, { include_usage: true }, "low", 77],
    );
    const before = server.requests.length;
    assert.equal(codeOf(await ask({ text: "ok" }, requestOf({ reasoningEffort: "enormous" }))), "UNSUPPORTED_REASONING_EFFORT");
    assert.equal(server.requests.length, before);
  });

  it("a server inside the own network may go without a key", async () => {
    server.use(() => ({ text: "never" }));
    const keyless = openAiCompatibleAdapter({ ...config, baseUrl: server.url }, { resolve: async () => null });
    assert.equal(codeOf(await collect(keyless)), "AUTH");
    assert.equal(server.requests.at(-1)?.key, null);
  });
});
