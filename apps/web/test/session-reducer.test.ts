import assert from "node:assert/strict";
import { test } from "node:test";
import type { StreamBatch } from "@gantry/contracts";
import { listRows } from "../src/features/session/model/list-rows.ts";
import { sessionReducer } from "../src/features/session/model/reducer.ts";
import { emptySession, firstSeq, lastSeq, type SessionState } from "../src/features/session/model/state.ts";
import { batchOf, eventsOf, type Frame, scriptedFrames, seeded } from "./log-fixture.ts";

const apply = (state: SessionState, batch: StreamBatch) => sessionReducer(state, { type: "batch", batch });
const load = (frames: readonly Frame[]) => apply(emptySession, { events: eventsOf(frames), deltas: [] });
const rows = (state: SessionState) => listRows(state, new Set(state.turns.map((turn) => turn.turn)));

/** What the server does for a client that comes back: the log after its position, then the live frames from a point before or at it. */
function reconnect(state: SessionState, frames: readonly Frame[], seen: number, pick: (below: number) => number): SessionState {
  const liveFrom = Math.max(0, seen - pick(30));
  const history = eventsOf(frames.slice(0, seen)).filter((event) => event.seq > lastSeq(state));
  return apply(apply(state, { events: history, deltas: [], caughtUp: true }), batchOf(frames.slice(liveFrom, seen)));
}

test("CP-16 cuts and reconnects at 100 random points give the rows of one uninterrupted run, without a duplicate key", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const pick = seeded(seed);
    const frames = scriptedFrames(6, pick);
    let state = emptySession;
    for (let at = 0; at < frames.length; ) {
      const end = Math.min(frames.length, at + 1 + pick(20));
      if (pick(3) === 0) {
        const lost = Math.min(frames.length, end + pick(25));
        state = reconnect(state, frames, lost, pick);
        at = lost;
      } else {
        state = apply(state, batchOf(frames.slice(at, end)));
        at = end;
      }
    }
    const whole = rows(load(frames));
    assert.deepEqual(rows(state), whole, `seed ${seed}`);
    assert.equal(new Set(whole.map((row) => row.key)).size, whole.length, `keys of seed ${seed}`);
  }
});

test("CP-17 a reload in mid-answer, then the rest of the stream, ends with the text of the uninterrupted run", () => {
  const frames = scriptedFrames(4, seeded(7));
  const whole = rows(load(frames));
  for (let cut = 0; cut < frames.length; cut += 3) {
    const reloaded = load(frames.slice(0, cut));
    assert.deepEqual(rows(apply(reloaded, batchOf(frames.slice(cut)))), whole, `cut at ${cut}`);
  }
});

test("CP-16 every event and delta delivered twice, and deltas in any order, change nothing", () => {
  const frames = scriptedFrames(5, seeded(11));
  const pick = seeded(12);
  let state = emptySession;
  for (let at = 0; at < frames.length; at += 9) {
    const batch = batchOf(frames.slice(at, at + 9));
    const shuffled = batch.deltas.map((delta) => ({ delta, at: pick(1000) })).sort((a, b) => a.at - b.at);
    state = apply(apply(state, { ...batch, deltas: shuffled.map((item) => item.delta) }), batch);
  }
  assert.deepEqual(rows(state), rows(load(frames)));
});

test("a log read backwards in pages, while deltas stream, gives the rows of the whole log", () => {
  const frames = scriptedFrames(6, seeded(21));
  const all = eventsOf(frames);
  for (const page of [1, 7, 50, 1000]) {
    let state = apply(emptySession, { events: all.slice(-10), deltas: [] });
    for (let first = firstSeq(state) ?? 0; first > 0; first = firstSeq(state) ?? 0)
      state = sessionReducer(state, { type: "older", events: all.slice(Math.max(0, first - page), first) });
    assert.deepEqual(rows(state), rows(load(frames)), `pages of ${page}`);
  }
});

test("live text survives a page backwards", () => {
  const frames = scriptedFrames(3, seeded(5));
  const cut = frames.findLastIndex((frame) => "delta" in frame && frame.delta.run.block === "text") + 1;
  const before = batchOf(frames.slice(0, cut));
  const lastId = before.deltas.at(-1)?.messageId;
  const deltas = before.deltas.filter((delta) => delta.messageId === lastId);
  const tail = apply(emptySession, { events: before.events.slice(-6), deltas });
  const first = firstSeq(tail) ?? 0;
  const paged = sessionReducer(tail, { type: "older", events: before.events.slice(0, first) });
  const liveText = (state: SessionState) => rows(state).flatMap((row) => (row.kind === "text" && row.live ? [row.text] : []));
  assert.equal(liveText(tail).length, 1);
  assert.deepEqual(liveText(paged), liveText(tail));
});

test("a page that does not reach the loaded part is refused", () => {
  const all = eventsOf(scriptedFrames(2, seeded(3)));
  const state = apply(emptySession, { events: all.slice(20), deltas: [] });
  assert.equal(sessionReducer(state, { type: "older", events: all.slice(0, 10) }), state);
});

test("events beyond a gap wait until the gap is filled", () => {
  const frames = scriptedFrames(2, seeded(9));
  const all = eventsOf(frames);
  const gapped = apply(apply(emptySession, { events: all.slice(0, 5), deltas: [] }), { events: all.slice(8), deltas: [] });
  assert.equal(lastSeq(gapped), 4);
  const healed = apply(gapped, { events: all.slice(5, 8), deltas: [] });
  assert.deepEqual(rows(healed), rows(load(frames)));
  assert.deepEqual(healed.ahead, []);
});

test("late deltas of a stored message and of a failed attempt draw nothing", () => {
  const frames = scriptedFrames(6, seeded(2));
  const retried = frames.findIndex((frame) => "event" in frame && frame.event.type === "llm/retry");
  const stored = frames.findIndex((frame) => "event" in frame && frame.event.type === "assistant/message");
  assert.ok(retried > 0 && stored > 0);
  for (const cut of [retried + 1, stored + 1]) {
    const state = load(frames.slice(0, cut));
    const late = batchOf(frames.slice(0, cut)).deltas.filter((delta) => delta.messageId.startsWith("a"));
    assert.deepEqual(rows(apply(state, { events: [], deltas: late })), rows(state));
  }
});

test("a tail that begins inside a message shows what it has, goes on live, and becomes whole by paging", () => {
  const frames = scriptedFrames(1, seeded(8));
  const chunks = frames.flatMap((frame, at) =>
    "event" in frame && frame.event.type === "assistant/chunk" && frame.event.data.runs[0]?.block === "text" ? [at] : [],
  );
  const [from, to] = [chunks[1] ?? 0, chunks[2] ?? 0];
  const all = eventsOf(frames.slice(0, to));
  const tail = all.slice(-1);
  const deltas = batchOf(frames.slice(from + 1, to)).deltas;
  assert.ok(tail[0]?.type === "assistant/chunk" && (tail[0].data.runs[0]?.offset ?? 0) > 0 && deltas.length > 0);
  const live = apply(apply(emptySession, { events: tail, deltas: [] }), { events: [], deltas });
  const textOf = (state: SessionState) => rows(state).flatMap((row) => (row.kind === "text" ? [row.text] : []));
  const whole = textOf(apply(emptySession, batchOf(frames.slice(0, to))));
  const [part, full] = [textOf(live).at(-1) ?? "", whole.at(-1) ?? ""];
  assert.ok(part.length > 0 && part.length < full.length && full.endsWith(part));
  assert.deepEqual(textOf(sessionReducer(live, { type: "older", events: all.slice(0, -1) })), whole);
});

test("deltas of a worker that lost its lease draw nothing once the next holder writes", () => {
  const frames = scriptedFrames(1, seeded(1));
  const cut = frames.findLastIndex((frame) => "delta" in frame) + 1;
  const deltas = batchOf(frames.slice(cut - 3, cut)).deltas;
  const state = apply(apply(emptySession, batchOf(frames.slice(0, cut - 3))), {
    events: [],
    deltas: deltas.slice(0, 1).map((delta) => ({ ...delta, epoch: 2 })),
  });
  const stale = deltas.map((delta) => ({ ...delta, messageId: "stale", epoch: 1, run: { ...delta.run, offset: 0 } }));
  assert.deepEqual(rows(apply(state, { events: [], deltas: stale })), rows(state));
});

test("live pieces that arrive out of order wait for the one before them", () => {
  const frames = scriptedFrames(1, seeded(1));
  const at = frames.findIndex((frame, index) => "delta" in frame && index > 3 && "delta" in (frames[index + 1] ?? {}));
  const deltas = batchOf(frames.slice(at, at + 2)).deltas;
  const state = load(frames.slice(0, at));
  const after = (order: typeof deltas) => order.reduce((now, delta) => apply(now, { events: [], deltas: [delta] }), state);
  assert.deepEqual(rows(after(deltas.toReversed())), rows(after(deltas)));
  assert.notDeepEqual(rows(after(deltas.slice(0, 1))), rows(after(deltas)));
});
