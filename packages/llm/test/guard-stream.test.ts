import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assemble } from "../src/assemble.ts";
import type { StreamChunk } from "../src/chunks.ts";
import { guardStream } from "../src/guard-stream.ts";
import { requestOf } from "./provider-suite.ts";

const stop: StreamChunk = { type: "finish", reason: { kind: "stop" } };
const text = (index: number, value: string): StreamChunk => ({ type: "text-delta", index, text: value });

async function all(stream: AsyncIterable<StreamChunk>): Promise<StreamChunk[]> {
  const chunks: StreamChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

async function guarded(...chunks: StreamChunk[]): Promise<StreamChunk[]> {
  const source = async function* () {
    yield* chunks;
  };
  return all(guardStream(source, requestOf()));
}

describe("stream guard", () => {
  it("gives usage once, directly before the finish, and nothing after it", async () => {
    const usage = (n: number): StreamChunk => ({ type: "usage", usage: { inputTokens: n, outputTokens: 0 } });
    assert.deepEqual(await guarded(usage(1), text(0, "a"), usage(2), stop, text(0, "late"), stop), [text(0, "a"), usage(2), stop]);
  });

  it("drops deltas of a closed block, a second close and a block of another kind", async () => {
    const end: StreamChunk = { type: "block-end", index: 0, block: { type: "text", text: "a" } };
    const second: StreamChunk = { type: "block-end", index: 0, block: { type: "text", text: "other" } };
    const chunks = await guarded(text(0, "a"), end, text(0, "late"), second, { type: "reasoning-delta", index: 0, text: "x" }, stop);
    assert.deepEqual(chunks, [text(0, "a"), end, stop]);
  });

  it("LLM-4 LLM-5 what the log would refuse is made harmless: counts, failures and replay state of a wrong shape", async () => {
    const usage = (fields: object) => ({ type: "usage", usage: { inputTokens: 1, outputTokens: 1, ...fields } }) as StreamChunk;
    const sound = usage({});
    for (const odd of [{ inputTokens: -1 }, { outputTokens: 0.5 }, { cacheReadTokens: Number.NaN }, { inputTokens: "7" }])
      assert.deepEqual(await guarded(text(0, "a"), sound, usage(odd), stop), [text(0, "a"), sound, stop]);
    const ending = async (failure: unknown) => {
      const [last] = await guarded({ type: "finish", reason: { kind: "error", failure } } as StreamChunk);
      return last?.type === "finish" && last.reason.kind === "error" ? last.reason.failure : assert.fail();
    };
    const said = { code: "SERVER", message: "down" };
    assert.deepEqual(await ending({ ...said, status: 503, providerRetryAfterMs: 5 }), { ...said, status: 503, providerRetryAfterMs: 5 });
    for (const odd of [
      { status: 99 },
      { status: 600 },
      { status: 500.5 },
      { providerRetryAfterMs: 0 },
      { providerRetryAfterMs: Number.NaN },
      { requestId: 5 },
    ])
      assert.deepEqual(await ending({ ...said, ...odd }), said);
    for (const odd of [undefined, null, "down", {}, { code: 5, message: "x" }]) assert.equal((await ending(odd)).code, "UNKNOWN");
    const [, last] = await guarded(text(0, "a"), { ...stop, replayState: { at: new Date(0) } } as never);
    assert.deepEqual(last, stop);
  });

  it("drops chunks whose index is no index", async () => {
    assert.deepEqual(await guarded(text(-1, "a"), text(Number.NaN, "b"), text(0.5, "c"), text(0, "d"), stop), [text(0, "d"), stop]);
  });

  it("says in deltas what an end alone would say, so a reader of deltas misses nothing", async () => {
    const call = { type: "tool-call", id: "c", name: "read", arguments: '{"a":1}' } as const;
    const chunks = await guarded(
      { type: "block-end", index: 0, block: { type: "reasoning", text: "" } },
      text(1, "par"),
      { type: "block-end", index: 1, block: { type: "text", text: "partial" } },
      { type: "block-end", index: 2, block: call },
      stop,
    );
    const deltas = chunks.filter((chunk) => chunk.type.endsWith("-delta"));
    assert.deepEqual(assemble(deltas).content, [{ type: "reasoning", text: "" }, { type: "text", text: "partial" }, call]);
    assert.deepEqual(assemble(chunks).content, assemble(deltas).content);
  });

  it("a stop without any block is EMPTY_RESPONSE; another finish without a block stays", async () => {
    const [only] = await guarded(stop);
    assert.equal(only?.type === "finish" && only.reason.kind === "error" && only.reason.failure.code, "EMPTY_RESPONSE");
    assert.deepEqual(await guarded({ type: "finish", reason: { kind: "max-tokens" } }), [
      { type: "finish", reason: { kind: "max-tokens" } },
    ]);
    assert.deepEqual((await guarded({ type: "block-start", index: 0, blockType: "text" }, stop)).at(-1), stop);
  });

  it("a source without a finish is STREAM_CLOSED", async () => {
    const last = (await guarded(text(0, "a"))).at(-1);
    assert.equal(last?.type === "finish" && last.reason.kind === "error" && last.reason.failure.code, "STREAM_CLOSED");
  });

  it("keeps the replay state of the finish", async () => {
    const finish: StreamChunk = { type: "finish", reason: { kind: "stop" }, replayState: { blocks: [1] } };
    assert.deepEqual((await guarded(text(0, "a"), finish)).at(-1), finish);
  });

  it("an abort ends the stream even when the adapter ignores it", async () => {
    const abort = new AbortController();
    const stuck = async function* (): AsyncGenerator<StreamChunk> {
      yield text(0, "a");
      await new Promise(() => undefined);
    };
    const chunks: StreamChunk[] = [];
    for await (const chunk of guardStream(stuck, requestOf({ signal: abort.signal }))) {
      chunks.push(chunk);
      if (chunk.type === "text-delta") abort.abort();
    }
    const last = chunks.at(-1);
    assert.equal(last?.type === "finish" && last.reason.kind, "aborted");
  });

  it("an aborted request is not sent", async () => {
    let started = false;
    const source = () => {
      started = true;
      return (async function* () {})();
    };
    await all(guardStream(source, requestOf({ signal: AbortSignal.abort() })));
    assert.equal(started, false);
  });

  it("leaving early tells the adapter to stop", async () => {
    const stopped = Promise.withResolvers<void>();
    const source = async function* (): AsyncGenerator<StreamChunk> {
      try {
        for (;;) yield text(0, "a");
      } finally {
        stopped.resolve();
      }
    };
    for await (const chunk of guardStream(source, requestOf())) if (chunk.type === "text-delta") break;
    await stopped.promise;
  });
});

describe("assembler", () => {
  it("builds blocks in index order, from deltas alone or from ends", () => {
    const { content } = assemble([
      text(1, "wor"),
      { type: "tool-call-delta", index: 2, id: "c", name: "read", argumentsDelta: '{"a"' },
      { type: "reasoning-delta", index: 0, text: "hm" },
      text(1, "ld"),
      { type: "tool-call-delta", index: 2, id: "c", argumentsDelta: ":1}" },
      { type: "block-end", index: 1, block: { type: "text", text: "World" } },
      text(1, "ignored"),
    ]);
    assert.deepEqual(content, [
      { type: "reasoning", text: "hm" },
      { type: "text", text: "World" },
      { type: "tool-call", id: "c", name: "read", arguments: '{"a":1}' },
    ]);
  });

  it("takes nothing after the finish", () => {
    assert.deepEqual(assemble([text(0, "a"), stop, text(0, "b")]), { content: [{ type: "text", text: "a" }], finish: { kind: "stop" } });
  });
});
