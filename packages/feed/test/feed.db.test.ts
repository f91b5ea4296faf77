import assert from "node:assert/strict";
import { once } from "node:events";
import { after, describe, test } from "node:test";
import type { DeltaFrame, LiveFrame } from "@gantry/contracts";
import { createRedis } from "@gantry/platform";
import { testEnv } from "@gantry/testing/test-env";
import { createFeedPublisher, createFeedSubscriber, openFrameQueue } from "../src/index.ts";

const { REDIS_PREFIX } = testEnv();
const producer = createRedis("producer");
const pubsub = createRedis("pubsub");
after(() => {
  producer.disconnect();
  pubsub.disconnect();
});
const publisher = createFeedPublisher(producer);
const feed = createFeedSubscriber(pubsub);
const limit = { timeout: 60_000 };

const event = (seq: number): LiveFrame => ({ kind: "event", event: { type: "turn/start", seq, time: 1, data: { turn: seq + 1 } } });
const delta = (messageId: string, offset: number, text: string): DeltaFrame => ({
  kind: "delta",
  epoch: 1,
  turn: 1,
  step: 1,
  messageId,
  run: { index: 0, block: "text", offset, text },
});

/** Collects frames of a session until `done` says so. */
function collect(orgId: string, sessionId: string, done: (frames: LiveFrame[]) => boolean): Promise<LiveFrame[]> {
  return new Promise((resolve) => {
    const frames: LiveFrame[] = [];
    const stop = feed.subscribe(orgId, sessionId, (frame) => {
      frames.push(frame);
      if (!done(frames)) return;
      stop();
      resolve(frames);
    });
  });
}

const isEnd = (frames: LiveFrame[]): boolean => frames.at(-1)?.kind === "activity";
const end: LiveFrame = { kind: "activity", activity: { kind: "idle", since: 1 } };

describe("feed", () => {
  test("frames arrive in order, and the pieces of a text join to what was written", limit, async () => {
    const received = collect("o", "order", isEnd);
    await feed.ready();
    let text = "";
    for (let token = 0; token < 400; token++) {
      publisher.publish("o", "order", delta("m", text.length, `t${token} `));
      text += `t${token} `;
      if (token % 40 === 39) await publisher.flush();
    }
    publisher.publish("o", "order", event(0));
    publisher.publish("o", "order", delta("next", 0, "x"));
    publisher.publish("o", "order", end);
    const frames = await received;
    const deltas = frames.filter((frame) => frame.kind === "delta");
    const first = deltas.filter(({ messageId }) => messageId === "m");
    assert.equal(first.map(({ run }) => run.text).join(""), text);
    for (const [index, { run }] of first.entries())
      assert.equal(
        run.offset,
        first.slice(0, index).reduce((sum, earlier) => sum + earlier.run.text.length, 0),
      );
    assert.deepEqual(frames.slice(-3), [event(0), delta("next", 0, "x"), end]);
    assert.ok(deltas.length < 100, `${deltas.length} frames for 400 tokens`);
  });

  test("a stored event does not wait for the turn of tokens, and takes along those that wait", limit, async (t) => {
    const received = collect("o", "event", (frames) => frames.at(-1)?.kind === "event");
    await feed.ready();
    await publisher.flush();
    t.mock.timers.enable({ apis: ["setTimeout"] }); // no turn ends by its time
    publisher.publish("o", "event", delta("m", 0, "waits"));
    publisher.publish("o", "event", event(0));
    assert.deepEqual(await received, [delta("m", 0, "waits"), event(0)]);
  });

  test("one message carries the frames of all sessions of a turn", limit, async () => {
    const counter = createRedis("pubsub");
    const messages: string[] = [];
    await counter.psubscribe(`${REDIS_PREFIX}:frames`);
    counter.on("pmessage", (_pattern, _channel, message) => messages.push(message));
    await publisher.flush();
    const sessions = Array.from({ length: 50 }, (_, index) => collect("o", `many-${index}`, isEnd));
    await feed.ready();
    for (let round = 0; round < 4; round++) for (let index = 0; index < 50; index++) publisher.publish("o", `many-${index}`, event(round));
    for (let index = 0; index < 50; index++) publisher.publish("o", `many-${index}`, end);
    for (const frames of await Promise.all(sessions)) assert.deepEqual(frames, [event(0), event(1), event(2), event(3), end]);
    assert.ok(messages.length <= 2, `${messages.length} messages`);
    counter.disconnect();
  });

  test("SC-T6 a session's id alone opens nothing: another org hears nothing of it", limit, async () => {
    const stolen: LiveFrame[] = [];
    const stop = feed.subscribe("org-b", "shared-id", (frame) => stolen.push(frame));
    const own = collect("org-a", "shared-id", isEnd);
    await feed.ready();
    publisher.publish("org-a", "shared-id", event(0));
    publisher.publish("org-a", "shared-id", end);
    assert.equal((await own).length, 2);
    assert.deepEqual(stolen, []);
    stop();
  });

  test("text with line breaks and tabs stays within its frame", limit, async () => {
    const received = collect("o", "breaks", isEnd);
    await feed.ready();
    const hostile = 'a\n\to/other\t[{"kind":"activity"}]\n\u2028';
    publisher.publish("o", "breaks", delta("m", 0, hostile));
    publisher.publish("o", "breaks", end);
    assert.deepEqual(await received, [delta("m", 0, hostile), end]);
  });

  test("a watcher that throws does not take frames from the others", limit, async () => {
    const stop = feed.subscribe("o", "throwing", () => {
      throw new Error("broken watcher");
    });
    const other = collect("o", "throwing", isEnd);
    await feed.ready();
    publisher.publish("o", "throwing", end);
    assert.deepEqual(await other, [end]);
    stop();
  });

  test("nudges reach the listener with their address", limit, async () => {
    const nudged = new Promise((resolve) => feed.onNudge(resolve));
    await feed.ready();
    await publisher.publishNudge({ orgId: "o", sessionId: "s" });
    assert.deepEqual(await nudged, { orgId: "o", sessionId: "s" });
  });

  test("after the connection broke the watchers are told of the gap, once frames flow again", limit, async () => {
    let gaps = 0;
    const gap = new Promise<void>((resolve) => {
      feed.subscribe(
        "o",
        "gap",
        () => {},
        () => {
          gaps += 1;
          resolve();
        },
      );
    });
    await feed.ready();
    assert.equal(feed.isUp(), true);
    assert.equal(gaps, 0);
    pubsub.disconnect(true);
    await once(pubsub, "close");
    assert.equal(feed.isUp(), false);
    await gap;
    assert.equal(feed.isUp(), true);
    const received = collect("o", "gap", isEnd);
    publisher.publish("o", "gap", end);
    await received;
  });
});

describe("a queue of frames", () => {
  test("a reader takes what came since the last time, and nothing after it has closed", limit, async () => {
    let arrivals = 0;
    const queue = openFrameQueue(feed, "o", "read", () => {
      arrivals += 1;
    });
    const witness = collect("o", "read", isEnd);
    await feed.ready();
    queue.take(); // the gap that a first subscription may tell of
    arrivals = 0;
    assert.deepEqual([queue.hasFrames, queue.take()], [false, null]);
    for (const frame of [event(0), event(1), end]) publisher.publish("o", "read", frame);
    await witness;
    assert.equal(arrivals, 3);
    assert.equal(queue.hasFrames, true);
    assert.deepEqual(queue.take(), { gap: false, frames: [event(0), event(1), end] });
    assert.deepEqual([queue.hasFrames, queue.take()], [false, null]);
    queue.close();
    const after = collect("o", "read", isEnd);
    publisher.publish("o", "read", end);
    await after;
    assert.equal(queue.take(), null);
  });

  test("SC-R7 a reader that does not read costs a bounded buffer and is told of the gap", limit, async () => {
    const queue = openFrameQueue(feed, "o", "slow", () => {});
    const witness = collect("o", "slow", isEnd);
    await feed.ready();
    queue.take();
    for (let seq = 0; seq < 5_000; seq++) publisher.publish("o", "slow", event(seq));
    publisher.publish("o", "slow", end);
    await witness;
    const waiting = queue.take();
    assert.equal(waiting?.gap, true);
    assert.ok((waiting?.frames.length ?? 0) <= 2_000);
    assert.deepEqual(waiting?.frames.at(-1), end, "it goes on with the newest");
    queue.close();
  });
});
