import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { anthropicMessages } from "@gantry/testing/model/anthropic-messages";
import { chatCompletions } from "@gantry/testing/model/chat-completions";
import { responses } from "@gantry/testing/model/responses";
import type { Wire } from "@gantry/testing/model/wire";
import type { LlmAdapter } from "../src/adapter.ts";
import type { Credentials } from "../src/credentials.ts";
import type { ProviderConfig } from "../src/provider-config.ts";
import { anthropicAdapter } from "../src/providers/anthropic.ts";
import { deepSeekAdapter } from "../src/providers/deepseek.ts";
import { openAiAdapter } from "../src/providers/openai.ts";
import { openAiCompatibleAdapter } from "../src/providers/openai-compatible.ts";
import { collect, key } from "./provider-suite.ts";

type Make = (config: ProviderConfig, credentials: Credentials) => LlmAdapter;
const providers: Record<string, { readonly make: Make; readonly wire: Wire }> = {
  "openai-compatible": { make: openAiCompatibleAdapter, wire: chatCompletions },
  deepseek: { make: deepSeekAdapter, wire: chatCompletions },
  openai: { make: openAiAdapter, wire: responses },
  anthropic: { make: anthropicAdapter, wire: anthropicMessages },
};
const reply = { reasoning: "thé 🙂", text: "Grüße 🚀", toolCalls: [{ name: "read", arguments: { a: 1 } }], usage: { input: 9, output: 4 } };
type Answer = (response: ServerResponse) => void;
const stream = { "content-type": "text/event-stream" };
const sends =
  (body: string | Buffer, headers: Record<string, string> = stream): Answer =>
  (response) =>
    response.writeHead(200, headers).end(body);

const event = (data: { readonly type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
/** What may stand between the events that are read, by wire. */
const betweens: Record<string, readonly string[]> = {
  "chat-completions": ['data: {"usage":{"prompt_tokens":1}}\n\n', 'data: {"choices":[],"error":null}\n\n'],
  responses: [event({ type: "response.future" }), event({ type: "ping" })],
  messages: [
    event({ type: "future" }),
    event({ type: "ping" }),
    event({ type: "content_block_delta", index: 0, delta: { type: "future_delta", more: 1 } } as { type: string }),
    event({ type: "content_block_start", index: 9, content_block: { type: "future", more: 1 } } as { type: string }),
    event({ type: "content_block_stop", index: 9 } as { type: string }),
  ],
};

for (const [name, { make, wire }] of Object.entries(providers))
  describe(`DSK-5 forms in which ${name} may answer`, () => {
    let answer: Answer = () => {};
    const server = createServer((request, response) => request.resume().once("end", () => answer(response)));
    before(() => once(server.listen(0, "127.0.0.1"), "listening"));
    after(() => void server.close().closeAllConnections());
    const events = [...wire.events(reply, { model: "m", id: "1" }), wire.endMark];
    const body = events.join("");

    const ask = async (given: Answer) => {
      answer = given;
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const config = { providerId: "1", slug: "p", models: ["m"], allowInsecure: true, idleTimeoutMs: 10_000, baseUrl };
      const { content, finish, usage } = await collect(make(config, { resolve: async () => key }));
      return { content, finish, usage };
    };
    const codeOf = async (given: Answer) => {
      const { finish } = await ask(given);
      return finish && "failure" in finish ? finish.failure.code : finish?.kind;
    };
    const same = async (form: string, given: Answer) => {
      const whole = await ask(sends(body));
      assert.equal(whole.finish?.kind, "tool-calls");
      assert.deepEqual(await ask(given), whole, form);
    };

    it("either line end, a byte order mark, comments, other fields, fields without a blank, data on several lines", async () => {
      await same("CRLF", sends(body.replaceAll("\n", "\r\n")));
      await same("CR", sends(body.replaceAll("\n", "\r")));
      await same("byte order mark", sends(`\ufeff${body}`));
      await same("comments and fields", sends(`retry: 10\n\n${body.replaceAll("\n\n", "\nid: 1\n\n: alive\n\n")}`));
      await same("no blanks", sends(body.replaceAll(/^(data|event): /gm, "$1:")));
      await same("lines", sends(body.replaceAll(/^data: (\{.*?),(".*)$/gm, "data: $1,\ndata: $2")));
      await same("no type", sends(body, {}));
    });

    it("LLM-3 what comes behind the end of an answer is no part of it, another whole answer neither", async () => {
      await same("twice", sends(body + body));
      await same("in two parts", (response) => {
        response.writeHead(200, stream);
        response.write(body, () => response.end(body));
      });
    });

    it("events of kinds that are not read are passed over", async () => {
      for (const between of betweens[wire.name] ?? assert.fail())
        await same(between, sends([...events.slice(0, 2), between, ...events.slice(2)].join("")));
    });

    it("packed, though nobody asked for it, refusals too", async () => {
      await same("gzip", sends(gzipSync(body), { ...stream, "content-encoding": "gzip" }));
      await same("deflate", sends(deflateSync(body), { ...stream, "content-encoding": "deflate" }));
      await same("br", sends(brotliCompressSync(body), { ...stream, "content-encoding": "br" }));
      const cut = gzipSync(body).subarray(0, 60);
      assert.equal(await codeOf(sends(cut, { ...stream, "content-encoding": "gzip" })), "STREAM_CLOSED");
      const { finish } = await ask((response) => {
        response.writeHead(429, { "content-type": "application/json", "content-encoding": "gzip" });
        response.end(gzipSync(JSON.stringify(wire.errorBody("slow down please", "rate_limit"))));
      });
      assert.match(finish && "failure" in finish ? finish.failure.message : "", /slow down please/);
    });

    it("a document in the place of a stream is taken for what it says, whatever type it was given", async () => {
      const refusal = JSON.stringify(wire.errorBody("You exceeded your current quota", "insufficient_quota"), null, 2);
      for (const type of ["application/json", "text/plain", "text/event-stream"])
        assert.equal(await codeOf(sends(refusal, { "content-type": type })), "QUOTA", type);
      assert.equal(await codeOf(sends("<html>sign in</html>")), "MALFORMED_RESPONSE");
      assert.equal(await codeOf((response) => response.writeHead(204).end()), "STREAM_CLOSED");
      assert.equal(await codeOf(sends(": queued\n\n: queued\n\n")), "STREAM_CLOSED");
    });

    it("LLM-6 an answer that ends early, wherever, was cut, and one by a server that speaks no HTTP is a broken connection", async () => {
      const bytes = Buffer.from(body);
      for (let end = 0; end < bytes.length; end += 17) assert.equal(await codeOf(sends(bytes.subarray(0, end))), "STREAM_CLOSED", `${end}`);
      assert.equal(await codeOf((response) => response.socket?.end("SSH-2.0-hello\r\n")), "TRANSPORT");
      assert.equal(await codeOf((response) => response.socket?.resetAndDestroy()), "TRANSPORT");
    });
  });

it("LLM-6 errors that chat servers put into a stream without an error around them are taken for what they say", async (t) => {
  let said = "";
  const server = createServer((request, response) => request.resume().once("end", () => response.writeHead(200, stream).end(said)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => server.close().closeAllConnections());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = { providerId: "1", slug: "p", models: ["m"], allowInsecure: true, idleTimeoutMs: 10_000, baseUrl };
  const errors = {
    CONTEXT_WINDOW_EXCEEDED: { object: "error", message: "This model's maximum context length is 10 tokens", code: 400 },
    RATE_LIMIT: { detail: "Too many requests" },
    SERVER: { code: 503, message: "no worker is free" },
    MALFORMED_RESPONSE: { hello: "there" },
  };
  for (const [code, error] of Object.entries(errors)) {
    said = `data: ${JSON.stringify(error)}\n\n`;
    const { finish } = await collect(openAiCompatibleAdapter(config, { resolve: async () => key }));
    assert.equal(finish && "failure" in finish && finish.failure.code, code);
  }
});
