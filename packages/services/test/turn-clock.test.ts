import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createTurnClock } from "../src/session/stream/turn-clock.ts";

/** A clock that only moves when it is told to, and what was called in which turn. */
function openClock() {
  mock.timers.enable({ apis: ["setTimeout"] });
  const time = { now: 0 };
  const turns: string[][] = [];
  const atNextTurn = createTurnClock(() => time.now);
  /** A stream that takes `ms` to write what it has. */
  const stream = (name: string, ms = 0) => {
    return () => {
      time.now += ms;
      turns.at(-1)?.push(name);
    };
  };
  /** Lets what needs no time happen: promises, and the end of a turn. */
  const settle = async () => {
    turns.push([]);
    await new Promise((resolve) => setImmediate(resolve));
    return turns.at(-1);
  };
  const pass = (ms: number) => {
    time.now += ms;
    turns.push([]);
    mock.timers.tick(ms);
    return turns.at(-1);
  };
  return { atNextTurn, stream, settle, pass, [Symbol.dispose]: () => mock.timers.reset() };
}

test("what is ready goes at once while turns take no time, each stream once a turn", async () => {
  using clock = openClock();
  const [a, b] = [clock.stream("a"), clock.stream("b")];
  clock.atNextTurn(a);
  clock.atNextTurn(b);
  clock.atNextTurn(a);
  assert.deepEqual(await clock.settle(), ["a", "b"]);
  clock.atNextTurn(b);
  assert.deepEqual(await clock.settle(), ["b"]);
});

test("after a turn that took long streams wait twice as long, and then go together", async () => {
  using clock = openClock();
  clock.atNextTurn(clock.stream("slow", 5));
  assert.deepEqual(await clock.settle(), ["slow"]);
  clock.atNextTurn(clock.stream("a"));
  assert.deepEqual(await clock.settle(), []);
  assert.deepEqual(clock.pass(9), []);
  clock.atNextTurn(clock.stream("b"));
  assert.deepEqual(clock.pass(1), ["a", "b"]);
});

test("what comes while a turn is still being written belongs to the next, and nothing waits longer than 20 ms after it", async () => {
  using clock = openClock();
  clock.atNextTurn(clock.stream("slow", 1_000));
  await Promise.resolve();
  clock.atNextTurn(clock.stream("late"));
  assert.deepEqual(await clock.settle(), []);
  assert.deepEqual(clock.pass(19), []);
  assert.deepEqual(clock.pass(1), ["late"]);
});
