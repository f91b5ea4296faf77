import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Message, ToolSchema } from "@gantry/contracts";
import { bySteps, inOrder, type Reply, type ScriptedModel, type ScriptRequest, startScriptedModel } from "@gantry/testing";
import type { LlmAdapter } from "../src/adapter.ts";
import { assemble } from "../src/assemble.ts";
import type { FinishReason, StreamChunk } from "../src/chunks.ts";
import { guardStream } from "../src/guard-stream.ts";
import type { LlmRequest } from "../src/request.ts";

export const key = "key-0123456789abcdef";
export type Make = (options: { baseUrl: string; idleTimeoutMs?: number; key?: string | null }) => LlmAdapter;

const readTool: ToolSchema = {
  name: "read",
  description: "Reads a file.",
  parameters: { type: "object", properties: { file_path: { type: "string" } }, required: ["file_path"] },
};

export function user(text: string): Message {
  return { id: "m1", role: "user", content: [{ type: "text", text }], source: { kind: "user" } };
}

export function requestOf(fields: Partial<LlmRequest> = {}): LlmRequest {
  const base = { provider: "p", model: "scripted", messages: [user("hello")], sessionId: "s", purpose: "main" } as const;
  return { ...base, signal: new AbortController().signal, ...fields };
}

export async function collect(adapter: LlmAdapter, request = requestOf()) {
  const chunks: StreamChunk[] = [];
  for await (const chunk of guardStream(() => adapter.stream(request), request)) chunks.push(chunk);
  return { chunks, ...assemble(chunks) };
}

/** The contract every network adapter keeps (S-7), run against the scripted model server. */
export function providerSuite(title: string, make: Make): void {
  describe(title, () => {
    let server: ScriptedModel;
    before(async () => {
      server = await startScriptedModel(() => ({ text: "unset" }), { key });
    });
    after(() => server.close());

    const ask = (reply: Reply | ((request: ScriptRequest) => Reply), request?: LlmRequest, options: { idleTimeoutMs?: number } = {}) => {
      server.use(typeof reply === "function" ? reply : () => reply);
      return collect(make({ baseUrl: server.url, ...options }), request);
    };
    const failureOf = async (reply: Reply, options?: { idleTimeoutMs?: number }) => {
      const { finish } = await ask(reply, undefined, options);
      assert.equal(finish?.kind, "error");
      return finish.kind === "error" ? finish.failure : assert.fail();
    };

    it("streams text in several deltas, usage before finish, nothing after it", async () => {
      const { chunks, content, finish } = await ask({ text: "Hello wörld, this is a stream 🙂.", usage: { input: 10, output: 8 } });
      assert.deepEqual(content, [{ type: "text", text: "Hello wörld, this is a stream 🙂." }]);
      assert.deepEqual(finish, { kind: "stop" });
      assert.ok(chunks.filter((chunk) => chunk.type === "text-delta").length > 2);
      assert.deepEqual(
        chunks.slice(-2).map((chunk) => chunk.type),
        ["usage", "finish"],
      );
    });

    it("puts split and parallel tool call arguments together", async () => {
      const calls = [
        { name: "read", arguments: { file_path: "src/first file.ts", note: 'quotes " and \\ and 🙂' } },
        { name: "read", arguments: { file_path: "src/second.ts" } },
      ];
      const { content, finish } = await ask({ text: "Looking.", toolCalls: calls, chunkSize: 3 }, requestOf({ tools: [readTool] }));
      const blocks = content.filter((block) => block.type === "tool-call");
      assert.deepEqual(
        blocks.map((block) => JSON.parse(block.arguments)),
        calls.map((call) => call.arguments),
      );
      assert.equal(new Set(blocks.map((block) => block.id)).size, 2);
      assert.deepEqual(finish, { kind: "tool-calls" });
      assert.deepEqual(server.requests.at(-1)?.tools[0], readTool);
    });

    it("sends thinking back with its message on the next step", async () => {
      const tools = { name: "read", arguments: { file_path: "a" } };
      server.use(bySteps({ reasoning: "The file will tell.", toolCalls: [tools] }, { text: "done" }));
      const adapter = make({ baseUrl: server.url });
      const first = await collect(adapter, requestOf({ system: "Be brief.", tools: [readTool] }));
      const call = first.content.find((block) => block.type === "tool-call");
      assert.ok(call && first.content[0]?.type === "reasoning");
      const history: Message[] = [
        user("hello"),
        {
          id: "m2",
          role: "assistant",
          content: first.content,
          source: {
            kind: "model",
            provider: "p",
            model: "scripted",
            ...(first.replayState === undefined ? {} : { replayState: JSON.parse(JSON.stringify(first.replayState)) }),
          },
        },
        {
          id: "m3",
          role: "user",
          content: [{ type: "tool-result", toolCallId: call.id, content: [], isError: false }],
          source: { kind: "tool", callId: call.id },
        },
      ];
      const second = await collect(adapter, requestOf({ system: "Be brief.", tools: [readTool], messages: history }));
      assert.deepEqual(second.content, [{ type: "text", text: "done" }]);
      const sent = server.requests.at(-1);
      assert.equal(sent?.system, "Be brief.");
      const assistant = sent?.messages.find((message) => message.role === "assistant");
      assert.equal(assistant?.reasoning, "The file will tell.");
      assert.deepEqual(
        assistant?.toolCalls.map(({ name, arguments: text }) => [name, JSON.parse(text)]),
        [["read", { file_path: "a" }]],
      );
      assert.deepEqual(sent?.messages.at(-1), { role: "tool", callId: assistant?.toolCalls[0]?.id, text: "(no output)" });
    });

    it("AG-072 counts cached input once", async () => {
      const { usage } = await ask({ text: "x", usage: { input: 1_000, cached: 900, output: 50 } });
      assert.deepEqual([usage?.inputTokens, usage?.cacheReadTokens, usage?.outputTokens], [100, 900, 50]);
    });

    it("a length limit is max-tokens", async () => {
      assert.deepEqual((await ask({ text: "cut", finish: "length" })).finish, { kind: "max-tokens" });
    });

    it("an unexpected finish word is an error with the word as code", async () => {
      assert.equal((await failureOf({ text: "x", finish: "content_filter" })).code, "CONTENT_FILTER");
    });

    it("a refused key is AUTH and appears nowhere in the failure", async () => {
      server.use(() => ({ text: "never" }));
      const wrong = "wrong-key-abcdefgh";
      const { chunks, finish } = await collect(make({ baseUrl: server.url, key: wrong }));
      assert.equal(finish?.kind === "error" && finish.failure.code, "AUTH");
      assert.ok(!JSON.stringify(chunks).includes(wrong));
    });

    it("a key echoed by the provider is cut out", async () => {
      const said = await failureOf({ fault: { kind: "status", status: 400, message: `bad header ${key} here` } });
      assert.ok(!said.message.includes(key) && said.message.includes("[key]"), said.message);
    });

    it("a missing key fails before anything is sent", async () => {
      const before = server.requests.length;
      const { finish } = await collect(make({ baseUrl: "https://models.example/v1", key: null }));
      assert.equal(finish?.kind === "error" && finish.failure.code, "MISSING_CREDENTIAL");
      assert.equal(server.requests.length, before);
    });

    it("429 carries the seconds of Retry-After", async () => {
      const said = await failureOf({ fault: { kind: "status", status: 429, retryAfter: 2 } });
      assert.deepEqual([said.code, said.status, said.providerRetryAfterMs], ["RATE_LIMIT", 429, 2_000]);
    });

    it("429 for used-up quota is QUOTA", async () => {
      assert.equal((await failureOf({ fault: { kind: "status", status: 429, type: "insufficient_quota" } })).code, "QUOTA");
    });

    it("500 and 529 are SERVER", async () => {
      for (const status of [500, 529]) assert.equal((await failureOf({ fault: { kind: "status", status } })).code, "SERVER");
    });

    it("AG-076 413 is INVALID_REQUEST, a context-length message is CONTEXT_WINDOW_EXCEEDED", async () => {
      assert.equal((await failureOf({ fault: { kind: "status", status: 413 } })).code, "INVALID_REQUEST");
      const message = "This model's maximum context length is 128000 tokens.";
      assert.equal((await failureOf({ fault: { kind: "status", status: 400, message } })).code, "CONTEXT_WINDOW_EXCEEDED");
    });

    it("a redirect is not followed", async () => {
      const before = server.requests.length;
      const said = await failureOf({ fault: { kind: "status", status: 307, location: `${server.url}/chat/completions` } });
      assert.equal(said.code, "HTTP_307");
      assert.equal(server.requests.length, before + 1);
    });

    it("an error inside the stream is classified", async () => {
      const said = await failureOf({ fault: { kind: "error-event", message: "Overloaded", type: "overloaded_error" } });
      assert.equal(said.code, "SERVER");
    });

    it("a cut connection is TRANSPORT and keeps what had arrived", async () => {
      const { finish, content } = await ask({ text: "a long enough answer to be cut", fault: { kind: "cut", afterChunks: 4 } });
      assert.equal(finish?.kind === "error" && finish.failure.code, "TRANSPORT");
      assert.ok(content[0]?.type === "text" && content[0].text.length > 0);
    });

    it("an answer that ends without its end mark is STREAM_CLOSED", async () => {
      assert.equal((await failureOf({ text: "a long enough answer", fault: { kind: "close", afterChunks: 4 } })).code, "STREAM_CLOSED");
    });

    it("garbage and web pages are MALFORMED_RESPONSE", async () => {
      assert.equal((await failureOf({ fault: { kind: "garbage" } })).code, "MALFORMED_RESPONSE");
      assert.equal((await failureOf({ fault: { kind: "html" } })).code, "MALFORMED_RESPONSE");
    });

    it("silence longer than the limit is TIMEOUT, and the connection is dropped", async () => {
      const said = await failureOf({ text: "starts", fault: { kind: "silent", afterChunks: 2 } }, { idleTimeoutMs: 150 });
      assert.equal(said.code, "TIMEOUT");
      assert.equal(await server.requests.at(-1)?.ended, "client");
    });

    it("a slow answer is no silence: each piece and each comment starts the limit anew", async () => {
      // a machine that stands still for longer than the limit makes a silence of its own: then once more, with more time for all
      type Ending = Promise<FinishReason | undefined>;
      const ending = async (reply: Reply & { delayMs: number }, idleTimeoutMs: number, times = 1): Ending => {
        const { finish } = await ask({ ...reply, delayMs: reply.delayMs * times }, undefined, { idleTimeoutMs: idleTimeoutMs * times });
        return finish?.kind !== "stop" && times < 16 ? await ending(reply, idleTimeoutMs, times * 2) : finish;
      };
      assert.deepEqual(await ending({ text: "slow but steady answer", delayMs: 60 }, 400), { kind: "stop" });
      const commented = { text: "x", delayMs: 500, commentEveryMs: 50, chunkSize: 99 };
      assert.deepEqual(await ending(commented, 300), { kind: "stop" });
    });

    it("an abort in mid-stream ends it as aborted and drops the connection", async () => {
      const abort = new AbortController();
      server.use(() => ({ text: "starts and goes on", fault: { kind: "silent", afterChunks: 4 } }));
      const request = requestOf({ signal: abort.signal });
      const chunks: StreamChunk[] = [];
      for await (const chunk of guardStream(() => make({ baseUrl: server.url }).stream(request), request)) {
        chunks.push(chunk);
        if (chunk.type === "text-delta") abort.abort();
      }
      const last = chunks.at(-1);
      assert.equal(last?.type === "finish" && last.reason.kind, "aborted");
      assert.equal(await server.requests.at(-1)?.ended, "client");
    });

    it("a reader that stops early drops the connection", async () => {
      server.use(() => ({ text: "starts and goes on", fault: { kind: "silent", afterChunks: 4 } }));
      const request = requestOf();
      for await (const chunk of guardStream(() => make({ baseUrl: server.url }).stream(request), request)) {
        if (chunk.type === "text-delta") break;
      }
      assert.equal(await server.requests.at(-1)?.ended, "client");
    });

    it("a stop with nothing in it is EMPTY_RESPONSE, usage first; thinking alone is an answer", async () => {
      const { chunks, finish } = await ask({ usage: { input: 5, output: 1 } });
      assert.equal(finish?.kind === "error" && finish.failure.code, "EMPTY_RESPONSE");
      assert.equal(chunks[0]?.type, "usage");
      assert.deepEqual((await ask({ reasoning: "hm" })).finish, { kind: "stop" });
    });

    it("two megabytes of arguments and arguments that are no JSON arrive as they are", async () => {
      const big = JSON.stringify({ content: "x".repeat(2_000_000) });
      const { content } = await ask({
        toolCalls: [
          { name: "write", arguments: big },
          { name: "read", arguments: '{"file_path": ' },
        ],
        chunkSize: 4_096,
      });
      const texts = content.map((block) => (block.type === "tool-call" ? block.arguments : ""));
      assert.equal(texts[0]?.length, big.length);
      assert.equal(texts[1], '{"file_path": ');
    });

    it("a call id that the conversation already has is replaced", async () => {
      const call = { type: "tool-call", id: "call_0", name: "read", arguments: "{}" } as const;
      const messages: Message[] = [
        user("x"),
        { id: "m2", role: "assistant", content: [call], source: { kind: "model", provider: "p", model: "scripted" } },
        {
          id: "m3",
          role: "user",
          content: [{ type: "tool-result", toolCallId: "call_0", content: [], isError: false }],
          source: { kind: "tool", callId: "call_0" },
        },
      ];
      const { content } = await ask({ toolCalls: [{ id: "call_0", name: "read", arguments: {} }] }, requestOf({ messages }));
      assert.equal(content[0]?.type === "tool-call" && content[0].id, "call_0-2");
    });

    it("makes exactly one attempt", async () => {
      const before = server.requests.length;
      server.use(inOrder({ fault: { kind: "status", status: 500 } }, { text: "second" }));
      const { finish } = await collect(make({ baseUrl: server.url }));
      assert.equal(finish?.kind, "error");
      assert.equal(server.requests.length, before + 1);
    });

    it("an address where nothing listens is TRANSPORT", async () => {
      const gone = await startScriptedModel(() => ({}));
      await gone.close();
      const { finish } = await collect(make({ baseUrl: gone.url }));
      assert.equal(finish?.kind === "error" && finish.failure.code, "TRANSPORT");
    });
  });
}
