import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AppError, type SessionEvent, SessionId, type StreamInput } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import type { Tenant } from "@gantry/testing/db-factories";
import type { ServiceContext } from "../src/context.ts";
import { type StreamItem, streamSession } from "../src/session/stream/stream-session.ts";
import { openWriter } from "./session-writer.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();
await warmUpFeed();

describe("following a session", () => {
  test("CP-16 a hundred reconnects at random points see what a single run sees", async () => {
    const { tenant, ctx, writer } = await start();
    const single: SessionEvent[] = [];
    let total = Number.POSITIVE_INFINITY;
    const running = (async () => {
      for await (const { batch } of streamSession(ctx, input(tenant, "-1"), AbortSignal.timeout(120_000))) {
        single.push(...batch.events);
        if (single.length === total) return;
      }
    })();
    const seen: SessionEvent[] = [];
    let lastEventId = "-1";
    for (let cut = 0; cut < 100; cut++) {
      const size = 1 + random(15);
      const unseen = writer.log.length + size - seen.length;
      const writing = writer.append(size, cut % 2 ? undefined : (events) => events.toReversed());
      const part = await collect(ctx, tenant, { until: 1 + random(Math.min(10, unseen)), lastEventId });
      seen.push(...part.events);
      lastEventId = part.lastId ?? lastEventId;
      await writing;
    }
    const rest = writer.log.length - seen.length;
    if (rest > 0) seen.push(...(await collect(ctx, tenant, { until: rest, lastEventId })).events);
    assert.deepEqual(seen, writer.log);
    total = writer.log.length + 1;
    await writer.append(1);
    await running;
    assert.deepEqual(single, writer.log);
  });

  test("CP-16 events come once and in order, whatever the feed loses, repeats or reorders", async () => {
    const { tenant, ctx, writer } = await start();
    await writer.append(3);
    const reading = collect(ctx, tenant, { until: 40, lastEventId: null });
    await writer.append(10, (events) => [...events].reverse());
    await writer.append(10, () => []);
    await writer.append(10, (events) => [...events, ...events, ...events]);
    await writer.append(7, (events) => events.slice(-1));
    assert.deepEqual((await reading).events, writer.log);
  });

  test("a stream without a position starts with the tail, and says when history is complete", async () => {
    const { tenant, ctx, writer } = await start();
    await writer.append(450);
    const { events, items } = await collect(ctx, tenant, { until: 200, lastEventId: null });
    assert.deepEqual(events, writer.log.slice(250));
    await using stream = open(ctx, tenant, null);
    const all: StreamItem[] = [];
    for await (const item of stream.items) {
      all.push(item);
      if (item.batch.caughtUp) break;
    }
    assert.equal(all.filter((item) => item.batch.caughtUp).length, 1);
    assert.equal(all.at(-1)?.id, "449");
    assert.ok(items.every((item) => item.batch.events.length <= 200));
  });

  for (const bad of ["-7", "99999999999999999999", "4", "1e3", "x", "", "0x10", " 1", "\u0000"])
    test(`a position that the log does not have gets the tail: ${JSON.stringify(bad)}`, async () => {
      const { tenant, ctx, writer } = await start();
      await writer.append(4);
      const { events } = await collect(ctx, tenant, { until: 4, lastEventId: bad });
      assert.deepEqual(events, writer.log);
    });

  test("deltas pass through, joined where they go on, and do not move the position", async () => {
    const { tenant, ctx, writer } = await start();
    await writer.append(1);
    await using stream = open(ctx, tenant, null);
    let text = "";
    let offset = 0;
    for await (const { id, batch } of stream.items) {
      if (batch.caughtUp)
        for (const word of ["one ", "two ", "three"]) {
          writer.delta(word, offset);
          offset += word.length;
        }
      for (const { run } of batch.deltas) {
        assert.equal(run.offset, text.length);
        text += run.text;
        assert.equal(id, "0");
      }
      if (text === "one two three") break;
    }
  });

  test("SC-T6 another organisation's session is not there, whatever the position says", async () => {
    const { tenant, writer } = await start();
    await writer.append(5);
    const other = await world.createTenant();
    const stranger = world.contextOf(other);
    for (const lastEventId of [null, "-1", "2"]) {
      const [theirs, unknown] = await Promise.all(
        [tenant.sessionId, SessionId.parse(newId())].map((sessionId) =>
          collect(stranger, { ...other, sessionId }, { until: 1, lastEventId }).catch((error) => error),
        ),
      );
      assert.equal(theirs.code, "NOT_FOUND");
      assert.equal(theirs.message, unknown.message);
    }
  });

  test("SC-W7 the stream of a removed member ends", async (t) => {
    const { tenant, writer } = await start();
    await writer.append(1);
    let isMember = true;
    const recheck = async () => {
      if (!isMember) throw new AppError("NOT_FOUND", "gone");
    };
    const ctx = world.contextOf(tenant, { recheck });
    const realNow = performance.now.bind(performance);
    let skipped = 0;
    t.mock.method(performance, "now", () => realNow() + skipped);
    const ended = (async () => {
      await using stream = open(ctx, tenant, null);
      for await (const { batch } of stream.items)
        if (batch.caughtUp) {
          isMember = false;
          skipped = 10_001; // the clock moves on past the next check
        }
    })();
    await assert.rejects(ended, { code: "NOT_FOUND" });
  });

  test("an aborted stream ends and leaves nothing subscribed", async () => {
    const { tenant, ctx } = await start();
    let open = 0;
    const feed = {
      ...world.deps.feed,
      subscribe: (...args: Parameters<typeof world.deps.feed.subscribe>) => {
        open++;
        const stop = world.deps.feed.subscribe(...args);
        return () => {
          open--;
          stop();
        };
      },
    };
    const abort = new AbortController();
    for await (const { batch } of streamSession({ ...ctx, feed }, input(tenant, null), abort.signal)) if (batch.caughtUp) abort.abort();
    assert.equal(open, 0);
  });
});

function random(below: number): number {
  return Math.floor(Math.random() * below);
}

async function start() {
  const tenant = await world.createTenant();
  return { tenant, ctx: world.contextOf(tenant), writer: await openWriter(world.deps.publisher, tenant) };
}

function input(tenant: Tenant, lastEventId: string | null): StreamInput {
  return { org: tenant.slug, sessionId: tenant.sessionId, lastEventId };
}

function open(ctx: ServiceContext, tenant: Tenant, lastEventId: string | null) {
  const abort = new AbortController();
  return { items: streamSession(ctx, input(tenant, lastEventId), abort.signal), [Symbol.asyncDispose]: async () => abort.abort() };
}

/** Reads until `until` events have come, or `orMs` have passed. */
async function collect(ctx: ServiceContext, tenant: Tenant, wanted: { until: number; lastEventId: string | null; orMs?: number }) {
  const signal = AbortSignal.timeout(wanted.orMs ?? 60_000);
  const events: SessionEvent[] = [];
  const items: StreamItem[] = [];
  for await (const item of streamSession(ctx, input(tenant, wanted.lastEventId), signal)) {
    items.push(item);
    events.push(...item.batch.events);
    if (events.length >= wanted.until) break;
  }
  return { events, items, lastId: items.at(-1)?.id ?? null };
}

/** The first subscription of the process is confirmed before any test counts on the feed. */
async function warmUpFeed(): Promise<void> {
  world.deps.feed.subscribe("none", "none", () => {})();
  await world.deps.feed.ready();
}
