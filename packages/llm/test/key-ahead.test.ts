import assert from "node:assert/strict";
import { test } from "node:test";
import { keyAhead } from "../src/key-ahead.ts";

const provider = { providerId: "p", baseUrl: "https://models.test" };

function counted() {
  let asked = 0;
  const keys = keyAhead({ resolve: async (id) => `${id}-${++asked}` }, provider);
  return { keys, asked: () => asked };
}

test("a key that was asked for ahead serves one request, the next one asks anew (DSK-8)", async () => {
  const { keys, asked } = counted();
  keys.ask();
  assert.equal(await keys.take(), "p-1");
  assert.equal(await keys.take(), "p-2");
  assert.equal(asked(), 2);
});

test("requests that run beside each other take an answer each", async () => {
  const { keys, asked } = counted();
  keys.ask();
  keys.ask();
  assert.deepEqual([await keys.take(), await keys.take()], ["p-1", "p-2"]);
  assert.equal(asked(), 2);
});

test("an answer that no request took in time is forgotten: an edit holds for the next request (DSK-8)", async (t) => {
  const { keys } = counted();
  let now = 0;
  t.mock.method(performance, "now", () => now);
  keys.ask();
  now = 1_001;
  assert.equal(await keys.take(), "p-2");
});

test("a refusal is the request's, not the process's", async () => {
  const keys = keyAhead({ resolve: () => Promise.reject(new Error("unreadable")) }, provider);
  keys.ask();
  await new Promise((resolve) => setImmediate(resolve));
  await assert.rejects(keys.take(), /unreadable/);
});
