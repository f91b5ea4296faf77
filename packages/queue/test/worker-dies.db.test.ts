import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, test } from "node:test";
import type { OrgId, SessionId } from "@gantry/contracts";
import { createRedis, loadEnv, newId } from "@gantry/platform";
import { testEnv } from "@gantry/testing/test-env";
import { createProducer, startQueueWorker, wakeSession } from "../src/index.ts";
import { requireNoEviction } from "../src/require-no-eviction.ts";

const env = testEnv();
const producer = createProducer();
after(() => producer.close());

/** A worker process that takes a job, says so and never finishes it. */
function stuckWorker() {
  const program = `
    import { startQueueWorker } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
    const idle = async () => {};
    await startQueueWorker({ "session.wake": () => { console.log("taken"); return new Promise(() => {}); }, "session.sweep": idle, "workspace.import": idle });`;
  const { DATABASE_URL, NEXTAUTH_SECRET, NEXTAUTH_URL, GANTRY_DATA_DIR, REDIS_PREFIX, REDIS_URL } = loadEnv();
  const settings = { DATABASE_URL, NEXTAUTH_SECRET, NEXTAUTH_URL, GANTRY_DATA_DIR, REDIS_PREFIX, REDIS_URL, LOG_LEVEL: "silent" };
  return spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...settings, GANTRY_MASTER_KEY: env.GANTRY_MASTER_KEY.toString("base64") },
  });
}

test("a job of a killed worker is taken over within 12 s and says so", { timeout: 60_000 }, async () => {
  const child = stuckWorker();
  await producer.enqueue(wakeSession, { orgId: newId<OrgId>(), sessionId: newId<SessionId>(), wake: 1 });
  await once(child.stdout, "data");
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
  const killedAt = performance.now();

  const taken = Promise.withResolvers<boolean>();
  const idle = async () => {};
  const worker = await startQueueWorker({
    "session.wake": async (_payload, { takenOver }) => taken.resolve(takenOver),
    "session.sweep": idle,
    "workspace.import": idle,
  });
  assert.equal(await taken.promise, true);
  assert.ok(performance.now() - killedAt < 12_000, `${performance.now() - killedAt} ms`);
  await worker.close();
});

test("a Redis that evicts is refused with what to do", async () => {
  const redis = createRedis("producer");
  await requireNoEviction(redis);
  redis.disconnect();
  const evicting = { info: async () => "# Memory\r\nmaxmemory_policy:allkeys-lru\r\n" };
  await assert.rejects(requireNoEviction(evicting as unknown as typeof redis), /allkeys-lru.*--maxmemory-policy noeviction/);
});
