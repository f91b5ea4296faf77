import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { startScriptedModel } from "@gantry/testing";
import type { LlmAdapter } from "../src/adapter.ts";
import type { Credentials } from "../src/credentials.ts";
import type { ProviderConfig } from "../src/provider-config.ts";
import { anthropicAdapter } from "../src/providers/anthropic.ts";
import { openAiAdapter } from "../src/providers/openai.ts";
import { openAiCompatibleAdapter } from "../src/providers/openai-compatible.ts";
import { collect, key } from "./provider-suite.ts";

/** Stands before a server and gives its answers on in pieces of so many bytes, each written on its own. */
async function slicing(target: string) {
  let size = 1;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const headers = { "content-type": "application/json", authorization: request.headers.authorization ?? "", "x-api-key": key };
    const answer = await fetch(new URL(request.url ?? "", target), { method: "POST", headers, body: Buffer.concat(parts) });
    const bytes = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    response.socket?.setNoDelay(true);
    for (let at = 0; at < bytes.length; at += size) {
      response.write(bytes.subarray(at, at + size));
      await setImmediate(); // else the pieces leave together
    }
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    cutInto: (bytes: number) => {
      size = bytes;
    },
    close: () => server.close().closeAllConnections(),
  };
}

const adapters: Record<string, (config: ProviderConfig, credentials: Credentials) => LlmAdapter> = {
  "chat completions": openAiCompatibleAdapter,
  responses: openAiAdapter,
  messages: anthropicAdapter,
};
const args = { path: 'a "quoted" \\ backslash', text: "é 🙂 \u2028 \u0000", half: "\ud83d" };

for (const [wire, make] of Object.entries(adapters))
  test(`DSK-5 an answer over ${wire} is the same however its bytes are cut, inside characters and escapes too`, async (t) => {
    const usage = { input: 10, cached: 4, output: 8 };
    const model = await startScriptedModel(
      () => ({ reasoning: "thé 🙂", text: "Grüße 🚀", toolCalls: [{ name: "read", arguments: args }], usage }),
      { key },
    );
    const between = await slicing(model.url);
    t.after(async () => {
      between.close();
      await model.close();
    });
    const { pathname } = new URL(model.url);
    const config = { providerId: "1", slug: "p", models: ["m"], allowInsecure: true, idleTimeoutMs: 10_000 };
    const ask = (size: number) => {
      between.cutInto(size);
      return collect(make({ ...config, baseUrl: between.url(pathname === "/" ? "" : pathname) }, { resolve: async () => key }));
    };
    const { content, finish, usage: counted } = await ask(1_000_000);
    assert.deepEqual(finish, { kind: "tool-calls" });
    const call = content.at(-1);
    assert.deepEqual(call?.type === "tool-call" && JSON.parse(call.arguments), args);
    for (const size of [1, 2, 3, 7]) {
      const cut = await ask(size);
      assert.deepEqual([cut.content, cut.finish, cut.usage], [content, finish, counted], `pieces of ${size}`);
    }
  });
