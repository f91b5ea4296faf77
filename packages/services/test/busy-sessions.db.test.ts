import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "@gantry/platform";
import { streamSession } from "../src/session/stream/stream-session.ts";
import { openWriter } from "./session-writer.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();
const busySessions = 200;
const tokens = 60;
const roundMs = 50;
/** what a person may wait for a token beside all that work, counted in rounds of it: half a second where the machine keeps pace */
const limitRounds = 10;

test(`CP-13 beside ${busySessions} busy sessions the viewer of one gets its tokens at once and nothing of the others`, {
  timeout: 240_000,
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
  let rounds = 0;
  const work = setInterval(() => {
    rounds += 1;
    for (const other of others) {
      const run = { index: 0, block: "text", offset: other.said, text: "foreign " } as const;
      publisher.publish(other.orgId, other.sessionId, { kind: "delta", epoch: 1, turn: 1, step: 1, messageId: "m1", run });
      other.said += run.text.length;
    }
  }, roundMs);
  t.after(() => clearInterval(work));

  const sentAt = new Map<number, number>();
  const seen: string[] = [];
  const say = () => {
    const offset = sentAt.size * 4;
    sentAt.set(offset, rounds);
    writer.delta("own ", offset);
  };
  /** Reads so many tokens; answers how many rounds all but the slowest few waited at most. */
  const read = async (): Promise<number> => {
    const waits: number[] = [];
    const input = { org: tenant.slug, sessionId: tenant.sessionId, lastEventId: "0" };
    for await (const { batch } of streamSession(world.contextOf(tenant), input, AbortSignal.timeout(60_000))) {
      for (const { run } of batch.deltas) {
        seen.push(run.text);
        const at = sentAt.get(run.offset);
        if (at !== undefined) waits.push(rounds - at);
      }
      if (waits.length >= tokens) break;
      if (batch.caughtUp || batch.deltas.length > 0) setTimeout(say, 20); // the next token, once this one is here
    }
    waits.sort((a, b) => a - b);
    return waits[Math.floor(waits.length * 0.95)] ?? Number.POSITIVE_INFINITY;
  };
  let p95 = await read();
  // Redis may have stood still meanwhile; a feed that is slow by itself is so each time
  for (let left = 3; left > 0 && p95 > limitRounds; left -= 1) p95 = Math.min(p95, await read());
  t.diagnostic(`p95 ${p95} rounds beside ${rounds * busySessions} foreign frames`);
  assert.ok(rounds > 10);
  assert.deepEqual(new Set(seen), new Set(["own "]));
  assert.ok(p95 <= limitRounds, `${p95} rounds`);
});
