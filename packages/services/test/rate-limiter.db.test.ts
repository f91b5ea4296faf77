import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger, createRedis, newId } from "@gantry/platform";
import { createRateLimiter } from "../src/limits/rate-limiter.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();

test("SC-R15 a limit holds for all processes together, and says when to come back", async () => {
  const log = createLogger("test");
  const connections = [createRedis("producer"), createRedis("producer")];
  const limiters = connections.map((redis) => createRateLimiter(redis, log));
  const rule = { name: `test-${newId()}`, limit: 100, windowMs: 600_000 };
  const results = await Promise.allSettled(Array.from({ length: 150 }, (_, index) => limiters[index % 2]?.take(rule, "ada")));
  const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  assert.equal(refused.length, 50);
  assert.ok(
    refused.every((error) => error.code === "RATE_LIMITED" && error.data.retryAfterSeconds >= 1 && error.data.retryAfterSeconds <= 6),
  );
  for (const redis of connections) redis.disconnect();
});

test("SC-R15 the bucket refills evenly, subjects do not share it, and a reset empties it", async () => {
  const rule = { name: `test-${newId()}`, limit: 2, windowMs: 1_000 };
  const take = (subject: string) =>
    world.deps.limiter.take(rule, subject).then(
      () => true,
      () => false,
    );
  assert.deepEqual([await take("ada"), await take("ada"), await take("ada")], [true, true, false]);
  assert.equal(await take("grace"), true);
  await world.deps.limiter.reset(rule, "ada");
  assert.deepEqual([await take("ada"), await take("ada"), await take("ada")], [true, true, false]);
  const begun = performance.now();
  while (!(await take("ada"))) if (performance.now() - begun > 5_000) assert.fail("the bucket never refilled");
  assert.ok(performance.now() - begun > 100, "one request comes back after half of the window");
});
