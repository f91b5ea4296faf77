import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger, createRedis, newId } from "@gantry/platform";
import { createRateLimiter, type RateLimiter } from "../src/limits/rate-limiter.ts";
import { openWorld } from "./support.ts";

await openWorld();

/** What `work` finds with the limiters of two processes; once more when one of them had to count for itself, as on a machine that stood still. */
async function shared<T>(work: (limiters: readonly [RateLimiter, RateLimiter], name: string) => Promise<T>, triesLeft = 20): Promise<T> {
  let isAlone = false;
  const warn = () => {
    isAlone = true;
  };
  const log = Object.assign(createLogger("test"), { warn });
  const connections = [createRedis("producer"), createRedis("producer")] as const;
  const [one, other] = connections;
  const found = await work([createRateLimiter(one, log), createRateLimiter(other, log)], `test-${newId()}`);
  for (const redis of connections) redis.disconnect();
  return isAlone && triesLeft > 0 ? await shared(work, triesLeft - 1) : found;
}

const isTaken = (taking: Promise<void>) =>
  taking.then(
    () => true,
    () => false,
  );

test("SC-R15 a limit holds for all processes together, and says when to come back", async () => {
  const results = await shared((limiters, name) => {
    const rule = { name, limit: 100, windowMs: 600_000 };
    return Promise.allSettled(Array.from({ length: 150 }, (_, index) => limiters[index % 2 ? 1 : 0].take(rule, "ada")));
  });
  const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  assert.equal(refused.length, 50);
  assert.ok(
    refused.every((error) => error.code === "RATE_LIMITED" && error.data.retryAfterSeconds >= 1 && error.data.retryAfterSeconds <= 6),
  );
});

test("SC-R15 subjects do not share a bucket, and a reset empties it", async () => {
  const found = await shared(async ([limiter], name) => {
    const rule = { name, limit: 2, windowMs: 600_000 };
    const take = (subject: string) => isTaken(limiter.take(rule, subject));
    const first = [await take("ada"), await take("ada"), await take("ada"), await take("grace")];
    await limiter.reset(rule, "ada");
    return [first, [await take("ada"), await take("ada"), await take("ada")]];
  });
  assert.deepEqual(found, [
    [true, true, false, true],
    [true, true, false],
  ]);
});

test("SC-R15 the bucket refills evenly: the third of two in a second comes after half of it", async () => {
  const waitedMs = await shared(async ([limiter], name) => {
    const rule = { name, limit: 2, windowMs: 1_000 };
    const begun = performance.now();
    for (let taken = 0; taken < 3; ) if (await isTaken(limiter.take(rule, "ada"))) taken += 1;
    return performance.now() - begun;
  });
  assert.ok(waitedMs > 450, `${waitedMs} ms`);
});
