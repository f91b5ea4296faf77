import assert from "node:assert/strict";
import { test } from "node:test";
import { type Context, isInScope } from "@gantry/kernel";
import { until } from "./support/agent.ts";
import { fixtures, group, presetOf, presetWorld } from "./support/presets.ts";

const allowed = { assertAllowed: () => {} };

test("KN-083 two agents share one generation; racing first uses mount once; the generation stays for the next", async (t) => {
  const { plugins, started, notesOf, note } = fixtures();
  const { agent, users, generations, host } = await presetWorld(t, { plugins });
  const preset = presetOf("a", ["note"]);
  note(host, "shared");
  const [one, two, three] = await Promise.all([agent(preset), agent(preset), agent(presetOf("b", []))]);
  assert.deepEqual(started, ["note"]);
  assert.deepEqual(users(), ["a@1: 2", "b@1: 1"]);
  note(one.ctx, "own");
  assert.deepEqual(
    [one, two, three].map(({ key }) => notesOf(key)),
    [["shared", "note", "own"], ["shared", "note"], ["shared"]],
  );
  await Promise.all([one.end(), two.end()]);
  assert.deepEqual(users(), ["a@1: 0", "b@1: 1"]);
  await (await agent(preset)).end();
  assert.deepEqual(started, ["note"], "an idle generation is used again");
  assert.deepEqual(
    generations.views().map(({ state }) => state),
    ["live", "live"],
  );
});

test("KN-085 two edits in a row: who joined keeps its generation, each goes with its last user, the newest stays", async (t) => {
  const { plugins, notesOf } = fixtures();
  const { agent, users, generations, standing } = await presetWorld(t, { plugins });
  const before = standing();
  const revisions = [1, 2, 3].map((revision) =>
    presetOf("a", [{ id: "note", name: "note", config: { text: `r${revision}` } }], { revision }),
  );
  const [r1, r2, r3] = revisions as [(typeof revisions)[0], (typeof revisions)[0], (typeof revisions)[0]];
  const first = await agent(r1);
  await generations.retire((_id, revision) => revision === 2);
  const second = await agent(r2);
  const racing = agent(r3);
  await generations.retire((_id, revision) => revision === 3);
  const third = await racing;
  assert.deepEqual(
    [first, second, third].map(({ key }) => notesOf(key)),
    [["r1"], ["r2"], ["r3"]],
  );
  assert.deepEqual(users(), ["a@1: 1", "a@2: 1", "a@3: 1"]);
  const child = await agent(undefined, first.key);
  await first.end();
  assert.deepEqual(notesOf(child.key), ["r1"], "a child joins its parent's exact generation, also a retired one");
  assert.ok(!isInScope(child.key, first.key));
  await Promise.all([child.end(), second.end()]);
  assert.deepEqual(users(), ["a@3: 1"]);
  await third.end();
  assert.deepEqual(users(), ["a@3: 0"]);
  await generations.evictIdle(0);
  assert.deepEqual(standing(), before);
});

test("KN-085 a retired generation that ends does not take the place of the one that is mounted anew", async (t) => {
  const { plugins } = fixtures();
  const gate = Promise.withResolvers<void>();
  const slow = { name: "slow", apply: (ctx: Context) => void ctx.effect(() => () => gate.promise, "slow end") };
  const { agent, users, generations } = await presetWorld(t, { plugins: { ...plugins, slow } });
  const preset = presetOf("a", ["slow"]);
  const first = await agent(preset);
  await generations.retire(() => false);
  const ending = first.end();
  await until(() => generations.views()[0]?.state === "ending", "the end of the first generation has begun");
  const next = await agent(preset);
  assert.deepEqual(
    generations.views().map(({ state, users: count }) => [state, count]),
    [
      ["ending", 0],
      ["live", 1],
    ],
  );
  gate.resolve();
  await ending;
  const another = await agent(preset);
  assert.deepEqual(users(), ["a@1: 2"], "one generation, not two");
  await Promise.all([next.end(), another.end()]);
});

test("KN-088 a service of a preset in the root's realm is refused, with its row and name; isolated it mounts", async (t) => {
  const { plugins } = fixtures();
  const { agent, broken, host, standing } = await presetWorld(t, { plugins });
  const before = standing();
  const open = presetOf("open", [group("light", [{ id: "lamp", name: "lamp" }]), "fails"]);
  await assert.rejects(agent(open), (error: Error & { code?: string }) => {
    assert.equal(error.code, "PRESET_BROKEN");
    assert.match(error.message, /fails: no oil/);
    assert.match(error.message, /light\/lamp: the service "lamp" is not private/);
    return true;
  });
  assert.equal(broken.length, 1);
  assert.equal(host.get("lamp"), undefined);
  assert.deepEqual(standing(), before, "nothing is left of it");
  const closed = await agent(presetOf("closed", [{ id: "lamp", name: "lamp", isolate: { lamp: true } }]));
  assert.equal(host.get("lamp"), undefined);
  await closed.end();
});

test("KN-088 a service provided late by a timer breaks and retires the generation; who joined finishes, nobody else joins", async (t) => {
  const { plugins } = fixtures();
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const late = {
    name: "late",
    apply(ctx: Context) {
      ctx.effect(() => {
        const timer = setTimeout(() => ctx.provide("lamp", { color: "late" }), 1000);
        return () => clearTimeout(timer);
      }, "timer");
    },
  };
  const { agent, generations, broken, lines, host } = await presetWorld(t, { plugins: { ...plugins, late } });
  t.after(() => t.mock.timers.reset());
  const preset = presetOf("late", ["late"]);
  const other = await agent(presetOf("other", ["note"]));
  const joined = await agent(preset);
  t.mock.timers.tick(1000);
  assert.match(String(broken), /late,late: the service "lamp" is not private/);
  assert.ok(lines.some(({ level, message }) => level === "error" && message === "a preset is broken"));
  assert.deepEqual(
    generations.views().map(({ slug, state, isRetired, users }) => [slug, state, isRetired, users]),
    [
      ["other", "live", false, 1],
      ["late", "broken", true, 1],
    ],
  );
  await assert.rejects(agent(preset), { code: "PRESET_BROKEN", message: /lamp/ });
  await assert.rejects(agent(undefined, joined.key), { code: "PRESET_BROKEN" });
  assert.equal(host.get("lamp")?.color, "late", "who joined keeps what the preset gave");
  await joined.end();
  assert.equal(host.get("lamp"), undefined);
  await assert.rejects(agent(preset), { code: "PRESET_BROKEN" });
  await other.end();
});

test("KN-089 equal labels in two presets are two realms, equal labels in one preset are one", async (t) => {
  const { plugins, seen } = fixtures();
  const { agent, host, memberships } = await presetWorld(t, { plugins });
  const labelled = (slug: string, color: string) =>
    presetOf(slug, [
      group("source", [{ id: "lamp", name: "lamp", config: { color } }], { isolate: { lamp: "light", cable: "light" } }),
      group("sink", [{ id: "reader", name: "reader", config: { id: slug } }], { isolate: { lamp: "light" } }),
    ]);
  const [a, b] = await Promise.all([agent(labelled("a", "red")), agent(labelled("b", "blue"))]);
  assert.deepEqual(seen.toSorted(), [
    ["a", "red"],
    ["b", "blue"],
  ]);
  assert.equal(host.get("lamp"), undefined);

  const apart = presetOf("apart", [
    group("source", [{ id: "lamp", name: "lamp" }], { isolate: { lamp: true } }),
    group("sink", [{ id: "reader", name: "reader", config: { id: "x" } }], { isolate: { lamp: true } }),
  ]);
  await assert.rejects(agent(apart), { code: "PRESET_BROKEN", message: /sink\/reader: waiting for lamp/ });

  assert.equal(memberships.serviceFor(a.key, "lamp")?.color, "red");
  await Promise.all([a.end(), b.end()]);
});

test("KN-089 a row's own isolate and inject count too, and a group's inject holds for the rows in it", async (t) => {
  const { plugins } = fixtures();
  const { agent } = await presetWorld(t, { plugins });
  const waiting = presetOf("waiting", [
    { id: "own", name: "note", inject: ["cable"] },
    group("outer", [group("inner", [{ id: "note", name: "note", inject: ["lamp"] }])], { inject: ["cable"] }),
  ]);
  await assert.rejects(agent(waiting), (error: Error) => {
    assert.match(error.message, /own: waiting for cable; outer\/inner\/note: waiting for cable, lamp/);
    return true;
  });
});

test("KN-090 an empty group mounts nothing; failures deep in groups name their path, all of them", async (t) => {
  const { plugins, started } = fixtures();
  const { agent } = await presetWorld(t, { plugins });
  await (await agent(presetOf("empty", [group("off", [group("deeper", [])]), "note"]))).end();
  assert.deepEqual(started, ["note"]);
  const deep = presetOf("deep", [
    group("planning", [group("modes", [{ id: "plan-mode", name: "fails" }]), { id: "side", name: "needs-cable" }]),
    "fails",
    "note",
  ]);
  await assert.rejects(agent(deep), (error: Error) => {
    for (const reason of [/planning\/modes\/plan-mode: no oil/, /planning\/side: waiting for cable/, /; fails: no oil/]) {
      assert.match(error.message, reason);
    }
    assert.doesNotMatch(error.message, /note/);
    return true;
  });
});

test("KN-091 a broken preset is never joined and mounted only once; others are unaffected; forgotten with its revision", async (t) => {
  const { plugins } = fixtures();
  let starts = 0;
  const counted = {
    name: "counted",
    apply() {
      starts += 1;
      throw new Error("no oil");
    },
  };
  const { agent, broken, generations } = await presetWorld(t, { plugins: { ...plugins, counted } });
  const preset = presetOf("bad", ["counted"]);
  const other = await agent(presetOf("good", ["note"]));
  const results = await Promise.allSettled([agent(preset), agent(preset), agent(preset)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "rejected", "rejected"],
  );
  await assert.rejects(agent(preset), { code: "PRESET_BROKEN" });
  assert.deepEqual([starts, broken], [1, [["bad", ["counted: no oil"]]]]);
  assert.deepEqual(
    generations.views().map(({ slug, users }) => [slug, users]),
    [["good", 1]],
  );
  await generations.retire((presetId) => presetId !== preset.presetId);
  await assert.rejects(agent(preset), { code: "PRESET_BROKEN" });
  assert.equal(starts, 2);
  await other.end();
});

test("KN-092 a context without a scope joins nothing", async (t) => {
  const { plugins, started } = fixtures();
  const { generations, host, memberships } = await presetWorld(t, { plugins });
  await assert.rejects(memberships.join(host, presetOf("a", ["note"])), { code: "JOIN_UNSCOPED" });
  assert.deepEqual([started, generations.views()], [[], []]);
});

test("KN-095 a plugin that this release lacks is a reason, and nothing of the preset starts", async (t) => {
  const { plugins, started } = fixtures();
  const { agent } = await presetWorld(t, { plugins });
  const preset = presetOf("old", ["note", group("g", [{ id: "gone", name: "tool-gone" }]), { id: "odd", name: "constructor" }]);
  await assert.rejects(agent(preset), (error: Error & { code?: string }) => {
    assert.equal(error.code, "PRESET_BROKEN");
    assert.match(error.message, /g\/gone: this release has no plugin "tool-gone"; odd: this release has no plugin "constructor"/);
    return true;
  });
  assert.deepEqual(started, []);
});

test("KN-097 serviceFor finds the agent's own instance, and nothing elsewhere or after the end", async (t) => {
  const { plugins } = fixtures();
  const { agent, generations, memberships } = await presetWorld(t, { plugins });
  const lit = (color: string) =>
    presetOf(color, [group("g", [{ id: "lamp", name: "lamp", config: { color } }], { isolate: { lamp: true } })]);
  const [red, blue, dark] = await Promise.all([agent(lit("red")), agent(lit("blue")), agent(presetOf("dark", ["note"]))]);
  const colorOf = ({ key }: { key: object }) => memberships.serviceFor(key, "lamp")?.color;
  assert.deepEqual([red, blue, dark].map(colorOf), ["red", "blue", undefined]);
  await generations.retire(() => false);
  await red.end();
  assert.deepEqual([red, blue].map(colorOf), [undefined, "blue"]);
  assert.equal(memberships.serviceFor({}, "lamp"), undefined);
  await Promise.all([blue.end(), dark.end()]);
});

test("a switch links to the new generation and releases the old; a failure leaves the agent as it was", async (t) => {
  const { plugins, notesOf } = fixtures();
  const { agent, generations, users, memberships } = await presetWorld(t, { plugins });
  const preset = (slug: string) => presetOf(slug, [{ id: "note", name: "note", config: { text: slug } }]);
  const moved = await agent(preset("a"));
  await memberships.switch(moved.key, preset("b"), allowed);
  assert.deepEqual([notesOf(moved.key), users()], [["b"], ["a@1: 0", "b@1: 1"]]);
  await assert.rejects(memberships.switch(moved.key, presetOf("bad", ["fails"]), allowed), { code: "PRESET_BROKEN" });
  let asked = 0;
  const second = {
    assertAllowed() {
      asked += 1;
      if (asked === 2) throw new Error("a turn began");
    },
  };
  await assert.rejects(memberships.switch(moved.key, preset("a"), second), /a turn began/);
  assert.deepEqual([notesOf(moved.key), users()], [["b"], ["a@1: 0", "b@1: 1"]]);
  await memberships.switch(moved.key, preset("b"), allowed);
  await generations.retire(() => false);
  await memberships.switch(moved.key, preset("a"), allowed);
  assert.deepEqual([notesOf(moved.key), users()], [["a"], ["a@1: 1"]]);
  await moved.end();
  await assert.rejects(memberships.switch(moved.key, preset("b"), allowed), { code: "CONFLICT" });
});

test("other facts make another generation of a revision; the earlier one is retired", async (t) => {
  const { plugins, notesOf } = fixtures();
  const { agent, users } = await presetWorld(t, { plugins });
  const under = (hash: string) => presetOf("a", [{ id: "note", name: "note", config: { text: hash } }], { hash });
  const early = await agent(under("small"));
  const late = await agent(under("large"));
  assert.deepEqual(
    [early, late].map(({ key }) => notesOf(key)),
    [["small"], ["large"]],
  );
  await early.end();
  assert.deepEqual(users(), ["a@1: 1"]);
  await late.end();
});

test("a lent generation stands for the reading and not longer than its life", async (t) => {
  const { plugins, notesOf } = fixtures();
  const { users, memberships } = await presetWorld(t, { plugins });
  const during = await memberships.lend(presetOf("a", ["note"]), (key) => [notesOf(key), users()]);
  assert.deepEqual([during, users()], [[["note"], ["a@1: 1"]], ["a@1: 0"]]);
});

test("KN-085 who leaves a failed generation late does not take away the one that is mounted anew", async (t) => {
  const { plugins } = fixtures();
  const [start, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = { name: "slow", apply: (ctx: Context) => void ctx.effect(() => () => end.promise, "slow end") };
  let isFirst = true;
  const flaky = {
    name: "flaky",
    async apply() {
      if (!isFirst) return;
      isFirst = false;
      await start.promise;
      throw Object.assign(new Error("connect refused"), { code: "ECONNREFUSED" });
    },
  };
  const { agent, users, generations } = await presetWorld(t, { plugins: { ...plugins, slow, flaky }, limits: { retryFirstMs: 0 } });
  const preset = presetOf("a", ["slow", "flaky"]);
  const refused = assert.rejects(agent(preset), { code: "UNAVAILABLE" });
  await generations.retire(() => false);
  start.resolve();
  await until(() => generations.views()[0]?.state === "ending", "the failed generation ends");
  const next = await agent(preset);
  end.resolve();
  await refused;
  const another = await agent(preset);
  assert.deepEqual(users(), ["a@1: 2"], "one generation, not two");
  await Promise.all([next.end(), another.end()]);
});
