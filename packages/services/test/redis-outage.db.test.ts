import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { SessionEvent } from "@gantry/contracts";
import { pendingCommands } from "@gantry/db";
import { newId } from "@gantry/platform";
import { ownRedis } from "@gantry/testing/redis-server";
import { sendMessage } from "../src/session/send-message.ts";
import { streamSession } from "../src/session/stream/stream-session.ts";
import { getSystemStatus } from "../src/system/get-system-status.ts";
import { openWriter } from "./session-writer.ts";
import { openWorld } from "./support.ts";

const redis = await ownRedis();
const world = await openWorld({ REDIS_URL: redis.url });
/** what a person waits for at most; the first one after the outage has more time, as a machine may stand still for a while */
const [acceptLimitMs, firstLimitMs] = [1_500, 10_000];

describe("while Redis is away", () => {
  test("CP-43 a send is accepted at once by a frozen Redis and by none at all, and waits in Postgres", async () => {
    const tenant = await world.createTenant();
    const ctx = world.contextOf(tenant);
    const send = () =>
      sendMessage(ctx, { org: tenant.slug, sessionId: tenant.sessionId, clientKey: newId(), text: "hello", target: "next-turn" });
    await send();
    let sent = 1;
    for (const outage of [redis.freeze, redis.kill]) {
      await outage();
      const times: number[] = [];
      while (times.length < 5 && !times.some((ms) => ms < acceptLimitMs)) {
        const begun = performance.now();
        await send();
        times.push(performance.now() - begun);
        sent += 1;
      }
      assert.ok((times[0] ?? 0) < firstLimitMs && Math.min(...times) < acceptLimitMs, `took ${times} ms`);
      redis.thaw();
    }
    assert.equal((await pendingCommands(tenant.orgId, tenant.sessionId)).length, sent);
    await redis.start();
  });

  test("CP-16 a stream goes on from Postgres and takes up the feed again, without gap or duplicate", async () => {
    const tenant = await world.createTenant();
    const ctx = world.contextOf(tenant);
    const writer = await openWriter(world.deps.publisher, tenant);
    await writer.append(2);
    const seen: SessionEvent[] = [];
    for await (const { batch } of streamSession(ctx, { org: tenant.slug, sessionId: tenant.sessionId }, AbortSignal.timeout(60_000))) {
      seen.push(...batch.events);
      if (batch.caughtUp) {
        await redis.kill();
        await writer.append(3);
      }
      if (seen.length === 5) {
        await redis.start();
        await writer.append(3);
      }
      if (seen.length === 8) break;
    }
    assert.deepEqual(seen, writer.log);
  });

  test("the system's status says that the queue is down, and that it is back", async () => {
    const ctx = world.contextOf(await world.createTenant());
    assert.equal((await getSystemStatus(ctx)).isQueueUp, true);
    await redis.kill();
    assert.deepEqual(await getSystemStatus(ctx), { isQueueUp: false, installation: null, uploadMaxMb: world.env.UPLOAD_MAX_MB });
    await redis.start();
    for (const deadline = Date.now() + 60_000; !(await getSystemStatus(ctx)).isQueueUp; ) assert.ok(Date.now() < deadline, "never back");
  });

  test("SC-R15 limits are still counted, by each process for itself", async () => {
    await redis.kill();
    const rule = { name: `test-${newId()}`, limit: 5, windowMs: 60_000 };
    const answers = [];
    for (let request = 0; request < 8; request++)
      answers.push(
        await world.deps.limiter.take(rule, "ada").then(
          () => "ok",
          (error) => error.code,
        ),
      );
    assert.deepEqual(answers, ["ok", "ok", "ok", "ok", "ok", "RATE_LIMITED", "RATE_LIMITED", "RATE_LIMITED"]);
    await world.deps.limiter.take(rule, "grace");
    await redis.start();
  });
});
