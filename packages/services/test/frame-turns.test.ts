import assert from "node:assert/strict";
import { test } from "node:test";
import { OrgId, SessionId } from "@gantry/contracts";
import type { FeedSubscriber } from "@gantry/feed";
import { openFrameTurns } from "../src/session/stream/frame-turns.ts";

const orgId = OrgId.parse("01900000-0000-7000-8000-000000000001");
const sessionId = SessionId.parse("01900000-0000-7000-8000-000000000002");

/** The place of a feed with one watcher at most. */
function openTurns(signal = new AbortController().signal) {
  const seen: { watcher: ((frame: never) => void) | null } = { watcher: null };
  const feed = {
    subscribe: (_org: string, _session: string, onFrame: (frame: never) => void) => {
      seen.watcher = onFrame;
      return () => {
        seen.watcher = null;
      };
    },
  } as unknown as FeedSubscriber;
  const arrive = (offset: number) =>
    seen.watcher?.({
      kind: "delta",
      epoch: 1,
      turn: 1,
      step: 1,
      messageId: "m",
      run: { index: 0, block: "text", offset, text: "x" },
    } as never);
  return { turns: openFrameTurns(feed, orgId, sessionId, signal), arrive, seen };
}

const offsets = ({ frames }: Awaited<ReturnType<ReturnType<typeof openFrameTurns>["next"]>>): number[] =>
  frames.map((frame) => (frame.kind === "delta" ? frame.run.offset : Number.NaN));

test("frames of one message are one turn, and those that come before its time wait for the next", async () => {
  const { turns, arrive } = openTurns();
  const first = turns.next();
  arrive(0);
  arrive(1);
  assert.deepEqual(offsets(await first), [0, 1]);
  const second = turns.next();
  arrive(2);
  await Promise.resolve(); // a turn that began at once would be over
  arrive(3);
  assert.deepEqual(offsets(await second), [2, 3]);
  turns.close();
});

test("what arrived while the reader was away is there when it comes back; without frames a turn is empty", async () => {
  const { turns, arrive } = openTurns();
  arrive(0);
  assert.deepEqual(offsets(await turns.next()), [0]);
  assert.deepEqual(await turns.next(), { gap: false, frames: [] });
  turns.close();
});

test("who waits is told at once when the stream closes, and nothing stays subscribed", async () => {
  for (const end of ["close", "abort"] as const) {
    const reader = new AbortController();
    const { turns, arrive, seen } = openTurns(reader.signal);
    const waiting = turns.next();
    arrive(0);
    if (end === "close") turns.close();
    else reader.abort();
    assert.deepEqual(await waiting, { gap: false, frames: [] });
    assert.equal(seen.watcher, null);
    assert.deepEqual(await turns.next(), { gap: false, frames: [] });
  }
});
