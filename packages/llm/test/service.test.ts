import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type Context, createRoot, mount } from "@gantry/kernel";
import type { LlmAdapter } from "../src/adapter.ts";
import { assemble } from "../src/assemble.ts";
import type { StreamChunk } from "../src/chunks.ts";
import * as llm from "../src/plugins/llm.ts";
import * as llmDemo from "../src/plugins/llm-demo.ts";
import { requestOf } from "./provider-suite.ts";

const quiet = () => undefined;
const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const stop: StreamChunk = { type: "finish", reason: { kind: "stop" } };

function adapter(slug: string, stream: LlmAdapter["stream"]): LlmAdapter {
  return { slug, models: ["m"], resolve: (model) => ({ provider: slug, model, contextWindow: 10 }), stream };
}

describe("llm service", () => {
  let ctx: Context;
  beforeEach(async () => {
    ctx = createRoot({ name: "test", logger }).ctx;
    await mount(ctx, llm).settled();
  });

  const register = (...adapters: LlmAdapter[]) => {
    const apply = (own: Context) => {
      for (const one of adapters) own.llm.register(one);
    };
    return mount(ctx, { name: "adapters", inject: ["llm"], apply });
  };
  const ask = async (provider = "a") => {
    const chunks: StreamChunk[] = [];
    for await (const chunk of ctx.llm.stream(requestOf({ provider }))) chunks.push(chunk);
    return assemble(chunks);
  };
  const codeOf = async (provider?: string) => {
    const { finish } = await ask(provider);
    return finish?.kind === "error" ? finish.failure.code : finish?.kind;
  };

  it("knows a provider for as long as its plugin lives", async () => {
    const handle = register(
      adapter("a", async function* () {
        yield { type: "text-delta", index: 0, text: "hi" };
        yield stop;
      }),
    );
    await handle.settled();
    assert.deepEqual((await ask()).content, [{ type: "text", text: "hi" }]);
    assert.deepEqual(ctx.llm.list(), [{ slug: "a", models: ["m"] }]);
    assert.deepEqual(ctx.llm.resolve({ provider: "a", model: "x" }), { provider: "a", model: "x", contextWindow: 10 });
    await handle.dispose();
    assert.deepEqual(ctx.llm.list(), []);
    assert.equal(ctx.llm.resolve({ provider: "a", model: "x" }), null);
    assert.equal(await codeOf(), "NO_ADAPTER");
  });

  it("refuses a second provider of the same name and keeps the first", async () => {
    const one = adapter("a", async function* () {
      yield stop;
    });
    await register(one).settled();
    await assert.rejects(register(one).settled(), { code: "DUPLICATE_ADAPTER" });
    assert.equal(ctx.llm.list().length, 1);
  });

  it("AG-070 an adapter that throws is a failure, not a crash", async () => {
    await register(
      adapter("a", async function* () {
        yield { type: "text-delta", index: 0, text: "x" };
        throw new TypeError("undefined is not a function");
      }),
      adapter("b", () => {
        throw new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "ECONNRESET" }) });
      }),
    ).settled();
    assert.equal(await codeOf("a"), "UNKNOWN");
    assert.equal(await codeOf("b"), "TRANSPORT");
  });

  it("lets a listener wrap or replace the stream, and holds it to the same contract", async () => {
    await register(
      adapter("a", async function* () {
        yield { type: "text-delta", index: 0, text: "real" };
        yield stop;
      }),
    ).settled();
    const mock = {
      name: "mock",
      apply: (own: Context) =>
        void own.on("llm/stream", async function* (request, next) {
          if (request.provider === "mocked") yield { type: "text-delta", index: 0, text: "mocked" };
          else yield* next();
        }),
    };
    await mount(ctx, mock).settled();
    assert.deepEqual((await ask("a")).content, [{ type: "text", text: "real" }]);
    const mocked = await ask("mocked");
    assert.deepEqual(mocked.content, [{ type: "text", text: "mocked" }]);
    assert.equal(mocked.finish?.kind === "error" && mocked.finish.failure.code, "STREAM_CLOSED");
  });

  it("serves the scripted demo as a plugin", async () => {
    await mount(ctx, llmDemo, { delayMs: 0 }).settled();
    assert.match(JSON.stringify((await ask("demo")).content), /could not be listed/);
  });
});
