import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createRedis } from "@gantry/platform";
import { ownRedis } from "@gantry/testing/redis-server";
import { testEnv } from "@gantry/testing/test-env";
import { createProducer, startQueueWorker, wakeSession } from "../src/index.ts";
import { idle, ids, until } from "./support.ts";

const server = await ownRedis();
testEnv({ REDIS_URL: server.url, SWEEP_INTERVAL_MS: "300" });

test("CP-48 pick-up goes on by itself after Redis was frozen, replaced by an empty one, and read-only for a while", {
  timeout: 300_000,
}, async () => {
  const admin = createRedis("producer");
  const producer = createProducer();
  const seen = new Set<string>();
  let sweeps = 0;
  const worker = await startQueueWorker({
    ...idle,
    "session.wake": async ({ sessionId }) => void seen.add(sessionId),
    "session.sweep": async () => {
      sweeps += 1;
    },
  });
  after(async () => {
    await worker.close();
    await producer.close();
    admin.disconnect();
  });
  /** Both kinds of work: what is asked for, and what comes by the clock. */
  const assertPickUp = async (what: string) => {
    const ticket = { ...ids(), wake: 1 };
    const before = sweeps;
    await until(() =>
      producer.enqueue(wakeSession, ticket).then(
        () => true,
        () => false, // as long as it is away: a producer fails fast
      ),
    );
    const begun = performance.now();
    await until(() => seen.has(ticket.sessionId) && sweeps > before);
    assert.ok(performance.now() - begun < 60_000, `${what}: ${Math.round(performance.now() - begun)} ms`);
  };
  await assertPickUp("at first");

  server.freeze();
  await assert.rejects(producer.enqueue(wakeSession, { ...ids(), wake: 1 }));
  server.thaw();
  await assertPickUp("thawed");

  await server.kill();
  await assert.rejects(producer.enqueue(wakeSession, { ...ids(), wake: 1 }));
  await server.start();
  await assertPickUp("an empty one in its place");

  // a fail-over as its clients see it: the address answers, first as a replica that takes no writes
  await admin.replicaof("127.0.0.1", 1);
  await assert.rejects(producer.enqueue(wakeSession, { ...ids(), wake: 1 }));
  await admin.replicaof("NO", "ONE");
  await assertPickUp("promoted again");
});
