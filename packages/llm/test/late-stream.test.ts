import assert from "node:assert/strict";
import { test } from "node:test";
import { lateStream } from "../src/late-stream.ts";

async function* counting(seen: { ended: boolean }): AsyncGenerator<number> {
  try {
    for (let n = 1; n <= 3; n++) yield n;
  } finally {
    seen.ended = true;
  }
}

test("a stream that comes late is read as itself, to its end or until the reader goes", async () => {
  const whole = { ended: false };
  const read: number[] = [];
  for await (const n of lateStream(async () => counting(whole))) read.push(n);
  assert.deepEqual([read, whole.ended], [[1, 2, 3], true]);
  const part = { ended: false };
  for await (const _ of lateStream(async () => counting(part))) break;
  assert.equal(part.ended, true);
});

test("what goes wrong before it is known is told to the reader", async () => {
  const failing = lateStream<number>(async () => {
    throw new Error("no key");
  });
  await assert.rejects(failing[Symbol.asyncIterator]().next(), /no key/);
});

test("a stream whose reader has gone is not begun", async () => {
  const known = Promise.withResolvers<void>();
  let begun = 0;
  const late = lateStream(async () => {
    await known.promise;
    return {
      [Symbol.asyncIterator]() {
        begun += 1;
        return counting({ ended: false });
      },
    };
  });
  const reader = late[Symbol.asyncIterator]();
  const first = reader.next();
  await reader.return?.();
  known.resolve();
  assert.equal((await first).done, true);
  assert.equal((await reader.next()).done, true);
  assert.equal(begun, 0);
});
