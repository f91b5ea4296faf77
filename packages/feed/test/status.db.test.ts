import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createRedis } from "@gantry/platform";
import { testEnv } from "@gantry/testing/test-env";
import { getStatus, setStatus, type WorkerStatus } from "../src/index.ts";

const { REDIS_PREFIX } = testEnv();
const redis = createRedis("producer");
after(() => redis.disconnect());

const worker = (workerId: string, ok: boolean): WorkerStatus => ({
  workerId,
  at: 1,
  sessions: 2,
  engine: {
    ok,
    engineVersion: "20.10",
    isolation: "runc",
    seccomp: true,
    quotaEnforced: true,
    imagePresent: true,
    problems: ok ? [] : ["engine down"],
  },
});

test("the status counts living workers, shows the worst engine, and forgets who stopped reporting", async () => {
  assert.equal(await getStatus(redis), null);
  await setStatus(redis, worker("a", true), 60_000);
  await setStatus(redis, worker("b", false), 60_000);
  await setStatus(redis, worker("b", false), 60_000);
  const both = await getStatus(redis);
  assert.deepEqual([both?.workerCount, both?.sessions, both?.engine?.problems], [2, 4, ["engine down"]]);
  await redis.pexpire(`${REDIS_PREFIX}:worker:b`, 0);
  const one = await getStatus(redis);
  assert.deepEqual([one?.workerCount, one?.engine?.ok], [1, true]);
  assert.deepEqual(await redis.smembers(`${REDIS_PREFIX}:workers`), ["a"]);
});
