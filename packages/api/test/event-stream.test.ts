import assert from "node:assert/strict";
import { test } from "node:test";
import { eventStream } from "../src/http/event-stream.ts";

const decoder = new TextDecoder();
const hour = 3_600_000;

/** Numbers as long as somebody asks, and how many were asked for. */
function numbers(end = Number.POSITIVE_INFINITY) {
  const seen = { asked: 0, closed: false, aborted: false };
  const source = {
    open: async (signal: AbortSignal) => {
      signal.addEventListener("abort", () => {
        seen.aborted = true;
      });
      return (async function* () {
        try {
          while (seen.asked < end) {
            seen.asked += 1;
            yield seen.asked;
          }
        } finally {
          seen.closed = true;
        }
      })();
    },
    textOf: (item: number) => `data: ${item}\n\n`,
    failure: (error: unknown) => JSON.stringify((error as Error).message),
  };
  return { source, seen };
}

const never = new AbortController().signal;
const next = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> => decoder.decode((await reader.read()).value);
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function all(stream: ReadableStream<Uint8Array>): Promise<string[]> {
  const texts: string[] = [];
  for await (const bytes of stream) texts.push(decoder.decode(bytes));
  return texts;
}

test("each item is one chunk, between the greeting and the word that nothing follows", async () => {
  const { source } = numbers(2);
  const [greeting, ...rest] = await all(eventStream(source, never, hour));
  assert.match(greeting ?? "", /^event: connected\ndata: \{"reconnectAfterInactivityMs":\d+\}\n\n$/);
  assert.deepEqual(rest, ["data: 1\n\n", "data: 2\n\n", "event: return\ndata: \n\n"]);
});

test("a client that does not read makes the source give nothing", async () => {
  const { source, seen } = numbers();
  const reader = eventStream(source, never, 1).getReader();
  await next(reader);
  for (let turn = 0; turn < 50; turn++) await settled();
  assert.equal(seen.asked, 0);
  assert.equal(await next(reader), "data: 1\n\n");
  assert.equal(await next(reader), "data: 2\n\n");
  for (let turn = 0; turn < 50; turn++) await settled();
  assert.equal(seen.asked, 2);
  await reader.cancel();
});

test("CP-15 a beat goes out while the source is silent, and what comes meanwhile is not lost", async () => {
  const gates = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const source = {
    open: async () =>
      (async function* () {
        for (const gate of gates) yield await gate.promise;
      })(),
    textOf: (item: string) => `data: ${item}\n\n`,
    failure: () => "",
  };
  const reader = eventStream(source, never, 1).getReader();
  await next(reader);
  assert.equal(await next(reader), "event: ping\ndata: \n\n");
  gates[0]?.resolve("while nobody asks");
  await settled();
  assert.equal(await next(reader), "data: while nobody asks\n\n");
  assert.equal(await next(reader), "event: ping\ndata: \n\n");
  await reader.cancel();
});

test("an error ends the stream with what the client is told of it", async () => {
  const { source } = numbers();
  const failing = {
    ...source,
    textOf: () => {
      throw new Error("broken");
    },
  };
  assert.deepEqual((await all(eventStream(failing, never, hour))).slice(1), ['event: serialized-error\ndata: "broken"\n\n']);
  const refused = { ...source, open: () => Promise.reject(new Error("not yours")) };
  assert.deepEqual((await all(eventStream(refused, never, hour))).slice(1), ['event: serialized-error\ndata: "not yours"\n\n']);
});

test("a client that goes ends the source, also while that waits", async () => {
  for (const leave of ["cancel", "abort"] as const) {
    const { source, seen } = numbers();
    const request = new AbortController();
    const reader = eventStream(source, request.signal, hour).getReader();
    await next(reader);
    await next(reader);
    if (leave === "cancel") await reader.cancel();
    else {
      request.abort();
      assert.equal((await reader.read()).done, true);
    }
    assert.equal(seen.aborted, true);
    await settled();
    assert.equal(seen.closed, true);
  }
});
