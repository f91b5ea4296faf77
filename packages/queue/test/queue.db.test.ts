import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { isAppError, type OrgId, type WorkspaceId } from "@gantry/contracts";
import { createRedis, newId, overrideEnv } from "@gantry/platform";
import { testEnv } from "@gantry/testing/test-env";
import { createProducer, importWorkspace, type QueueHandlers, startQueueWorker, wakeSession } from "../src/index.ts";
import { idle, ids, until } from "./support.ts";

const { REDIS_PREFIX, REDIS_URL } = testEnv({ SWEEP_INTERVAL_MS: "200" });
const redis = createRedis("producer");
const producer = createProducer();
after(async () => {
  await producer.close();
  redis.disconnect();
});
const limit = { timeout: 60_000 };

const serve = async (handlers: Partial<QueueHandlers>) => startQueueWorker({ ...idle, ...handlers }, { concurrency: 4 });

/** A promise with its resolver, for handlers that report. */
function signal<T = void>() {
  return Promise.withResolvers<T>();
}

describe("queue", () => {
  test("a ticket that is asked for twice is one job; the next wake is another", limit, async () => {
    const session = ids();
    for (const wake of [1, 1, 1, 2]) await producer.enqueue(wakeSession, { ...session, wake });
    const done = signal();
    const seen: number[] = [];
    const worker = await serve({
      "session.wake": async ({ sessionId, wake }) => {
        if (sessionId !== session.sessionId) return;
        seen.push(wake);
        if (wake === 2) done.resolve();
      },
    });
    await done.promise;
    await worker.close();
    assert.deepEqual(seen, [1, 2]);
    await producer.enqueue(wakeSession, { ...session, wake: 1 });
    assert.equal(await redis.llen(`${REDIS_PREFIX}:session.wake:wait`), 0, "also after it is done");
  });

  test("an import frees its key when it is done, so that it can be tried again", limit, async () => {
    const workspace = { orgId: newId<OrgId>(), workspaceId: newId<WorkspaceId>() };
    let runs = 0;
    let ran = signal();
    const worker = await serve({
      "workspace.import": async () => {
        runs += 1;
        ran.resolve();
      },
    });
    for (let ask = 1; ask <= 2; ask++) {
      ran = signal();
      await producer.enqueue(importWorkspace, workspace);
      await ran.promise;
      await until(async () => (await redis.exists(`${REDIS_PREFIX}:workspace.import:${workspace.workspaceId}`)) === 0);
    }
    await worker.close();
    assert.equal(runs, 2);
  });

  test("a payload is ids and nothing else, on both sides", limit, async () => {
    const extra = { ...ids(), wake: 1, apiKey: "secret" };
    await assert.rejects(producer.enqueue(wakeSession, extra), /apiKey/);
    await assert.rejects(producer.enqueue(wakeSession, { ...ids(), orgId: "not-an-id" as OrgId, wake: 1 }));
  });

  test("a handler that fails is called again, with the number of the attempt", limit, async () => {
    const session = ids();
    const second = signal<number>();
    const worker = await serve({
      "session.wake": async ({ sessionId }, { attempt }) => {
        if (sessionId !== session.sessionId) return;
        if (attempt === 1) throw new Error("first try fails");
        second.resolve(attempt);
      },
    });
    await producer.enqueue(wakeSession, { ...session, wake: 1 });
    assert.equal(await second.promise, 2);
    await worker.close();
  });

  test("the sweep repeats by the clock, and comes back after Redis lost everything", limit, async () => {
    let sweeps = 0;
    const worker = await serve({
      "session.sweep": async () => {
        sweeps += 1;
      },
    });
    await until(() => sweeps >= 2);
    const keys = await redis.keys(`${REDIS_PREFIX}:*`); // FLUSHALL, for this file's own keys only
    if (keys.length > 0) await redis.del(...keys);
    const before = sweeps;
    await until(() => sweeps >= before + 2);
    await worker.close();
  });

  test("closing aborts the handlers' signal and waits for them", limit, async () => {
    const started = signal();
    let finished = false;
    const worker = await serve({
      "session.wake": async (_payload, { signal: stop }) => {
        started.resolve();
        await new Promise<void>((resolve) => stop.addEventListener("abort", () => resolve(), { once: true }));
        finished = true;
      },
    });
    await producer.enqueue(wakeSession, { ...ids(), wake: 1 });
    await started.promise;
    await worker.close();
    assert.equal(finished, true);
  });

  test("a producer fails fast while Redis is away", limit, async () => {
    overrideEnv({ REDIS_URL: "redis://127.0.0.1:1" });
    const cut = createProducer();
    overrideEnv({ REDIS_URL });
    const start = performance.now();
    await assert.rejects(cut.enqueue(wakeSession, { ...ids(), wake: 1 }), (error) => isAppError(error, "UNAVAILABLE"));
    assert.ok(performance.now() - start < 20_000);
    await cut.close();
  });
});
