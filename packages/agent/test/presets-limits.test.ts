import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import { fixtures, presetOf, presetWorld } from "./support/presets.ts";

test("a mount that failed for a passing cause is refused for a growing time and then tried again", async (t) => {
  t.mock.timers.enable({ apis: ["Date"] });
  const { plugins } = fixtures();
  const outcomes = ["down", "down", "up"];
  let starts = 0;
  const flaky = {
    name: "flaky",
    apply() {
      starts += 1;
      if (outcomes.shift() === "down") throw Object.assign(new Error("connect refused"), { code: "ECONNREFUSED" });
    },
  };
  const needs = { name: "needs", inject: ["lamp"], apply: () => {} };
  const { agent, broken } = await presetWorld(t, {
    plugins: { ...plugins, flaky, needs },
    limits: { retryFirstMs: 1_000, retryMaxMs: 60_000 },
  });
  const preset = presetOf("a", ["flaky"]);
  await assert.rejects(agent(preset), { code: "UNAVAILABLE", message: /connect refused.*in 1 seconds/ });
  t.mock.timers.tick(999);
  await assert.rejects(agent(preset), { code: "UNAVAILABLE" });
  assert.equal(starts, 1);
  t.mock.timers.tick(1);
  await assert.rejects(agent(preset), { code: "UNAVAILABLE", message: /in 2 seconds/ });
  t.mock.timers.tick(2_000);
  await (await agent(preset)).end();
  assert.deepEqual([starts, broken], [3, []]);

  outcomes.push("down");
  const dependent = presetOf("b", ["flaky", "needs"]);
  await assert.rejects(agent(dependent), { code: "UNAVAILABLE", message: /connect refused.*waiting for lamp/ });
  outcomes.push("down");
  const mixed = presetOf("c", ["flaky", "fails"]);
  await assert.rejects(agent(mixed), { code: "PRESET_BROKEN", message: /connect refused.*no oil/ });
});

test("which causes pass and which are the definition's", async (t) => {
  const circle = new AggregateError([], "round");
  circle.errors.push(circle);
  const causes: [string, () => never, "UNAVAILABLE" | "PRESET_BROKEN"][] = [
    ["plain", () => raise(new Error("x")), "PRESET_BROKEN"],
    ["engine", () => raise(new AppError("ENGINE_DOWN", "no engine")), "UNAVAILABLE"],
    ["refused", () => raise(new AppError("INPUT_REFUSED", "no")), "PRESET_BROKEN"],
    ["cause", () => raise(new Error("x", { cause: Object.assign(new Error("y"), { code: "ETIMEDOUT" }) })), "UNAVAILABLE"],
    ["several", () => raise(new AggregateError([new AppError("UNAVAILABLE", "one"), new Error("two")])), "PRESET_BROKEN"],
    ["no-error", () => raise("thrown text"), "PRESET_BROKEN"],
    ["circle", () => raise(Object.assign(new Error("x"), { cause: circle })), "PRESET_BROKEN"],
    ["circles", () => raise(new AggregateError([circle, Object.assign(circle, { cause: circle })], "x")), "PRESET_BROKEN"],
  ];
  const plugins = Object.fromEntries(causes.map(([name, apply]) => [name, { name, apply }]));
  const { agent } = await presetWorld(t, { plugins });
  for (const [name, , code] of causes) await assert.rejects(agent(presetOf(name, [name])), { code, message: /: (?!Maximum)/ }, name);
});

test("a start that does not end is given up at the deadline, and told as passing; one that cannot be stopped taints the root", async (t) => {
  const { plugins } = fixtures();
  const gate = Promise.withResolvers<void>();
  const hangs = { name: "hangs", apply: () => gate.promise };
  const { agent, taints, standing } = await presetWorld(t, {
    plugins: { ...plugins, hangs },
    limits: { generationMountMs: 20, restMs: 20 },
  });
  await assert.rejects(agent(presetOf("a", ["hangs"])), { code: "UNAVAILABLE", message: /hangs.*still loading after 20 ms/ });
  assert.match(taints.join(), /did not come to rest within 20 ms/);
  gate.resolve();
  assert.equal(
    standing().plugins.some(({ name }) => name === "hangs"),
    true,
  );
});

test("KN-009 a retired generation that does not rest holds its last agent no longer than the deadline and taints the root once; others go on", async (t) => {
  const { plugins, notesOf } = fixtures();
  const gate = Promise.withResolvers<void>();
  const hangs = { name: "hangs", apply: (ctx: Context) => void ctx.effect(() => () => gate.promise, "hangs") };
  const { agent, generations, taints, users } = await presetWorld(t, { plugins: { ...plugins, hangs }, limits: { restMs: 20 } });
  const preset = presetOf("a", ["hangs", "note"]);
  const other = await agent(presetOf("b", ["note"]));
  const last = await agent(preset);
  await generations.retire((presetId) => presetId !== preset.presetId);
  assert.deepEqual([users(), taints], [["b@1: 1", "a@1: 1"], []], "it stays for its agent");
  await last.end();
  assert.equal(taints.length, 1);
  assert.match(taints[0] ?? "", /did not come to rest within 20 ms/);
  assert.deepEqual([notesOf(other.key), notesOf(last.key)], [["note"], []]);
  const again = await agent(preset);
  assert.deepEqual(users(), ["b@1: 1", "a@1: 1"], "the same revision may be mounted anew");
  gate.resolve();
  await Promise.all([again.end(), other.end()]);
  assert.equal(taints.length, 1);
});

test("the number of live generations is limited: the one idle for longest goes, and when all are in use the next is refused", async (t) => {
  t.mock.timers.enable({ apis: ["Date"] });
  const { plugins } = fixtures();
  const { agent, generations, users } = await presetWorld(t, { plugins, limits: { generations: 3 } });
  const held = [];
  for (const slug of ["a", "b", "c"]) {
    held.push(await agent(presetOf(slug, ["note"])));
    t.mock.timers.tick(10);
  }
  await assert.rejects(agent(presetOf("d", ["note"])), { code: "UNAVAILABLE", message: /3 preset revisions/ });
  assert.deepEqual(users(), ["a@1: 1", "b@1: 1", "c@1: 1"]);
  await held[1]?.end();
  t.mock.timers.tick(10);
  await held[0]?.end();
  const last = await agent(presetOf("d", ["note"]));
  t.mock.timers.tick(10);
  await last.end();
  assert.deepEqual(users(), ["a@1: 0", "c@1: 1", "d@1: 0"]);
  t.mock.timers.tick(10);
  await generations.evictIdle(20);
  assert.deepEqual(users(), ["c@1: 1", "d@1: 0"], "only what was idle long enough");
  await held[2]?.end();
});

test("who gives up waiting for a mount leaves nothing behind, and the mount goes on for the others", async (t) => {
  const { plugins } = fixtures();
  const gate = Promise.withResolvers<void>();
  const slow = { name: "slow", apply: (_ctx: Context) => gate.promise };
  const { agent, users, host, memberships } = await presetWorld(t, { plugins: { ...plugins, slow } });
  const preset = presetOf("a", ["slow"]);
  const waiting = agent(preset);
  const abort = new AbortController();
  const lent = memberships.lend(preset, () => assert.fail("it was not mounted"), { signal: abort.signal });
  assert.deepEqual(users(), ["a@1: 2"]);
  abort.abort(new Error("the session was closed"));
  await assert.rejects(lent, /the session was closed/);
  assert.deepEqual(users(), ["a@1: 1"]);
  gate.resolve();
  await (await waiting).end();
  assert.ok(host);
});

test("a closed registry mounts nothing more; what mounts meanwhile is ended and says nothing of its revision", async (t) => {
  const { plugins } = fixtures();
  const gate = Promise.withResolvers<void>();
  const slow = { name: "slow", apply: () => gate.promise };
  const { agent, generations, broken } = await presetWorld(t, { plugins: { ...plugins, slow } });
  const refused = assert.rejects(agent(presetOf("a", ["slow"])), { code: "UNAVAILABLE" });
  const closed = generations.close();
  gate.resolve();
  await Promise.all([refused, closed]);
  await assert.rejects(agent(presetOf("b", ["note"])), { code: "UNAVAILABLE", message: /being moved/ });
  assert.deepEqual([generations.views(), broken], [[], []]);
});

function raise(error: unknown): never {
  throw error;
}
