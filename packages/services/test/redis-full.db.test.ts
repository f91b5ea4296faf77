import assert from "node:assert/strict";
import { test } from "node:test";
import { pendingCommands } from "@gantry/db";
import { setStatus } from "@gantry/feed";
import { createRedis, newId } from "@gantry/platform";
import { ownRedis } from "@gantry/testing/redis-server";
import { listEvents } from "../src/session/list-events.ts";
import { listSessions } from "../src/session/list-sessions.ts";
import { sendMessage } from "../src/session/send-message.ts";
import { streamSession } from "../src/session/stream/stream-session.ts";
import { getSystemStatus } from "../src/system/get-system-status.ts";
import { createWorkspace } from "../src/workspace/create-workspace.ts";
import { openWriter } from "./session-writer.ts";
import { openWorld } from "./support.ts";

const server = await ownRedis();
const world = await openWorld({ REDIS_URL: server.url });

test("CP-51 with a full Redis pages read, streams run, and what people send is kept; the status says so, and that it is over", {
  timeout: 180_000,
}, async (t) => {
  const redis = createRedis("producer");
  t.after(() => redis.disconnect());
  const tenant = await world.createTenant();
  const { slug: org, sessionId } = tenant;
  const ctx = world.contextOf(tenant);
  const writer = await openWriter(world.deps.publisher, tenant);
  await writer.append(3);
  const worker = { workerId: "w", at: 1, sessions: 1, engine: null };
  await setStatus(redis, worker, 600_000);
  await redis.config("SET", "maxmemory", "1"); // as when it has reached its cap: it reads, and takes nothing that grows
  await assert.rejects(setStatus(redis, worker, 600_000), /OOM|EXECABORT/);

  const sent = await sendMessage(ctx, { org, sessionId, clientKey: newId(), text: "hello", target: "next-turn" });
  assert.ok(sent.messageId);
  const made = await createWorkspace(ctx, { org, name: "while full", source: { kind: "clone", url: "https://example.com/a.git" } });
  assert.ok(made.workspaceId);
  assert.equal((await pendingCommands(tenant.orgId, sessionId)).length, 1);
  assert.equal((await listSessions(ctx, { org })).items.length, 1);
  assert.equal((await listEvents(ctx, { org, sessionId })).events.length, 3);
  for await (const { batch } of streamSession(ctx, { org, sessionId }, AbortSignal.timeout(60_000))) if (batch.caughtUp) break;
  assert.equal((await getSystemStatus(ctx)).isQueueUp, false);

  await redis.config("SET", "maxmemory", "0");
  assert.equal((await getSystemStatus(ctx)).isQueueUp, true);
});
