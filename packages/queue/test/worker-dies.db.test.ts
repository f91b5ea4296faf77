import assert from "node:assert/strict";
import { once } from "node:events";
import { after, test } from "node:test";
import { createRedis } from "@gantry/platform";
import { testEnv } from "@gantry/testing/test-env";
import { createProducer, startQueueWorker, wakeSession } from "../src/index.ts";
import { requireNoEviction } from "../src/require-no-eviction.ts";
import { idle, ids, workerProcess } from "./support.ts";

testEnv();
const producer = createProducer();
after(() => producer.close());

/** A worker that takes a job, says so and never finishes it. */
const stuck = '() => { console.log("taken"); return new Promise(() => {}); }';

/** Milliseconds from the death of a worker until another one has its job. */
async function takeover(): Promise<number> {
  const child = workerProcess(stuck);
  await producer.enqueue(wakeSession, { ...ids(), wake: 1 });
  await once(child.stdout, "data");
  const taken = Promise.withResolvers<boolean>();
  const worker = await startQueueWorker({ ...idle, "session.wake": async (_payload, { takenOver }) => taken.resolve(takenOver) });
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
  const killedAt = performance.now();
  assert.equal(await taken.promise, true);
  const ms = performance.now() - killedAt;
  await worker.close();
  return ms;
}

test("a job of a killed worker is taken over within 12 s and says so", { timeout: 180_000 }, async () => {
  const times: number[] = [];
  // a machine that stands still for seconds takes a second try; a takeover that is slow by itself is so each time
  for (let left = 3; left > 0 && (times.at(-1) ?? 12_000) >= 12_000; left -= 1) times.push(await takeover());
  assert.ok(Math.min(...times) < 12_000, `${times} ms`);
});

test("a Redis that evicts is refused with what to do", async () => {
  const redis = createRedis("producer");
  await requireNoEviction(redis);
  redis.disconnect();
  const evicting = { info: async () => "# Memory\r\nmaxmemory_policy:allkeys-lru\r\n" };
  await assert.rejects(requireNoEviction(evicting as unknown as typeof redis), /allkeys-lru.*--maxmemory-policy noeviction/);
});
