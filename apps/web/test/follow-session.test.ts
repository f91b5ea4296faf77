import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import type { StreamBatch } from "@gantry/contracts";
import { streamPatienceMs } from "@gantry/contracts";
import { followSession, type Subscribe, silentMs } from "../src/features/session/model/follow-session.ts";

const page = globalThis as unknown as Record<string, unknown>;
page.document = { hidden: true };
const listeners = new Map<string, () => void>();
page.addEventListener = (name: string, fn: () => void) => listeners.set(name, fn);
page.removeEventListener = (name: string) => listeners.delete(name);

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

/** In small steps: a timer that another one sets counts from then. */
function pass(ms: number): void {
  for (let left = ms; left > 0; left -= 50) mock.timers.tick(Math.min(50, left));
}

const batch = (caughtUp: boolean): StreamBatch => ({ events: [], deltas: [], ...(caughtUp ? { caughtUp: true } : {}) });

/** Follows with a server that answers as `answer` says; tells what was asked and what the page was told. */
function follow(answer: (once: boolean, on: Parameters<Subscribe>[1]) => void) {
  const asked: boolean[] = [];
  const told: string[] = [];
  let open = 0;
  const stop = followSession({
    subscribe: ({ once }, on) => {
      asked.push(once);
      open += 1;
      setTimeout(() => answer(once, on), 1);
      return () => {
        open -= 1;
      };
    },
    lastEventId: () => "7",
    isFinal: () => false,
    onBatch: () => told.push("batch"),
    onConnection: (connection) => told.push(connection),
  });
  return { asked, told, stop, open: () => open };
}

test("CP-18 where no stream comes through, what is new is asked for every few seconds, and a stream is tried again later", () => {
  assert.ok(silentMs >= 2 * streamPatienceMs);
  const { asked, told, stop } = follow((once, on) => {
    if (!once) return; // held back on the way
    on.onBatch(batch(true));
    on.onEnd(null);
  });
  pass(silentMs - 1);
  assert.deepEqual(asked, [false]);
  pass(10_000);
  assert.deepEqual(asked, [false, true, true, true, true]);
  assert.deepEqual([told.includes("batch"), told.at(-1)], [true, "live"]);
  pass(60_000);
  assert.deepEqual([asked.filter((once) => once).length, asked.at(-1)], [20, false], "then a stream again");
  stop();
  pass(600_000);
  assert.equal(asked.length, 22);
});

test("CP-18 a stream that comes is left alone, however quiet it is, and a network that is back gets a stream at once", () => {
  let isHeld = false;
  const { asked, stop } = follow((once, on) => {
    if (!isHeld || once) on.onBatch(batch(true));
    if (once) on.onEnd(null);
    else if (asked.length === 1) setTimeout(() => on.onEnd(new Error("cut")), 100_000);
  });
  pass(99_000);
  assert.deepEqual(asked, [false]);
  isHeld = true;
  pass(2_000);
  assert.deepEqual(asked, [false, false]);
  pass(silentMs + 100);
  assert.deepEqual(asked, [false, false, true]);
  isHeld = false;
  listeners.get("online")?.();
  assert.deepEqual(asked, [false, false, true, false]);
  stop();
});
