import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "@gantry/platform";
import { streamSession } from "../src/session/stream/stream-session.ts";
import { openWriter } from "./session-writer.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();
const busySessions = 200;
const tokens = 60;
/** what a person may wait for a token beside all that work */
const limitMs = 500;

test(`CP-13 beside ${busySessions} busy sessions the viewer of one gets its tokens at once and nothing of the others`, {
  timeout: 180_000,
}, async (t) => {
  const tenant = await world.createTenant();
  const { publisher } = world.deps;
  const writer = await openWriter(publisher, tenant);
  await writer.append(1);
  const others = Array.from({ length: busySessions }, (_, index) => ({
    orgId: index % 2 ? tenant.orgId : newId(), // of the same org, and of others
    sessionId: newId(),
    said: 0,
  }));
  let published = 0;
  const work = setInterval(() => {
    for (const other of others) {
      const run = { index: 0, block: "text", offset: other.said, text: "foreign " } as const;
      publisher.publish(other.orgId, other.sessionId, { kind: "delta", epoch: 1, turn: 1, step: 1, messageId: "m1", run });
      other.said += run.text.length;
      published += 1;
    }
  }, 50);
  t.after(() => clearInterval(work));

  const sentAt = new Map<number, number>();
  const delays: number[] = [];
  const seen: string[] = [];
  const say = () => {
    const offset = sentAt.size * 4;
    sentAt.set(offset, performance.now());
    writer.delta("own ", offset);
  };
  const input = { org: tenant.slug, sessionId: tenant.sessionId, lastEventId: "0" };
  for await (const { batch } of streamSession(world.contextOf(tenant), input, AbortSignal.timeout(50_000))) {
    for (const { run } of batch.deltas) {
      seen.push(run.text);
      const at = sentAt.get(run.offset);
      if (at !== undefined) delays.push(performance.now() - at);
    }
    if (delays.length >= tokens) break;
    if (batch.caughtUp || batch.deltas.length > 0) setTimeout(say, 20); // the next token, once this one is here
  }
  delays.sort((a, b) => a - b);
  const p95 = delays[Math.floor(delays.length * 0.95)] ?? Number.POSITIVE_INFINITY;
  t.diagnostic(`p95 ${p95.toFixed(1)} ms beside ${published} foreign frames`);
  assert.ok(published > busySessions * 10);
  assert.deepEqual(new Set(seen), new Set(["own "]));
  assert.ok(p95 < limitMs, `${p95} ms`);
});
