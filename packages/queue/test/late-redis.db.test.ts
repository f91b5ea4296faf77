import assert from "node:assert/strict";
import { after, test } from "node:test";
import { isAppError } from "@gantry/contracts";
import { createRedis } from "@gantry/platform";
import { ownRedis } from "@gantry/testing/redis-server";
import { testEnv } from "@gantry/testing/test-env";
import { createProducer, wakeSession } from "../src/index.ts";
import { keepSchedule } from "../src/schedule.ts";
import { ids, until } from "./support.ts";

const own = await ownRedis();
const { REDIS_PREFIX } = testEnv({ REDIS_URL: own.url });

test("CP-48 a process that began while Redis was away queues jobs and keeps the sweep's schedule as soon as Redis answers", {
  timeout: 120_000,
}, async () => {
  await own.kill();
  const producer = createProducer();
  const schedule = keepSchedule(200);
  const redis = createRedis("worker");
  after(async () => {
    await schedule.close();
    await producer.close();
    redis.disconnect();
  });
  const ticket = { ...ids(), wake: 1 };
  await assert.rejects(producer.enqueue(wakeSession, ticket), (error) => isAppError(error, "UNAVAILABLE"));
  await own.start();
  await until(() =>
    producer.enqueue(wakeSession, ticket).then(
      () => true,
      () => false,
    ),
  );
  assert.equal(await redis.llen(`${REDIS_PREFIX}:session.wake:wait`), 1);
  await until(async () => (await redis.exists(`${REDIS_PREFIX}:session.sweep:repeat`)) === 1);
});
