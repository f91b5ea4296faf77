import assert from "node:assert/strict";
import { test } from "node:test";
import type { Context } from "@gantry/kernel";
import { OrgRoot } from "../src/root/org-root.ts";
import { fixtures, group, presetOf } from "./support/presets.ts";
import { hostOf, orgRoot } from "./support/root.ts";

test("a host composition that does not start is refused with every reason, groups included", async () => {
  const { plugins } = fixtures();
  const rows = [group("g", [{ id: "bad", name: "fails" }]), { id: "waits", name: "needs-cable" }];
  const { host, plugins: all } = hostOf({ plugins, rows });
  await assert.rejects(OrgRoot.build(host, all), (error: Error & { code?: string }) => {
    assert.equal(error.code, "INTERNAL");
    for (const reason of [/g\/bad: no oil/, /waits: waiting for cable/, /preset-host: waiting for agents, fs/]) {
      assert.match(error.message, reason);
    }
    return true;
  });
});

test("host rows share realms by label and have their own like a preset's", async (t) => {
  const { plugins, seen } = fixtures();
  const extraRows = [
    group("source", [{ id: "lamp", name: "lamp", config: { color: "host" } }], { isolate: { lamp: "light" } }),
    group("sink", [{ id: "reader", name: "reader", config: { id: "sink" } }], { isolate: { lamp: "light" } }),
  ];
  await orgRoot(t, { plugins, extraRows });
  assert.deepEqual(seen, [["sink", "host"]]);
});

test("the number of agents of a root is limited, those in the making included; one that ends makes room", async (t) => {
  const { root, session } = await orgRoot(t, { limits: { agents: 2 } });
  const preset = presetOf("a", []);
  const results = await Promise.allSettled([1, 2, 3].map(() => root.createAgent(session(), preset)));
  assert.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "fulfilled", "rejected"],
  );
  await assert.rejects(root.createAgent(session(), preset), { code: "UNAVAILABLE", message: /2 sessions are live/ });
  const [first] = results;
  assert.ok(first?.status === "fulfilled");
  await root.disposeAgent(first.value);
  await root.createAgent(session(), preset);
  assert.equal(root.agentCount, 2);
});

test("a second agent of a session is refused and takes nothing from the first", async (t) => {
  const { root, session, users } = await orgRoot(t);
  const options = session();
  const agent = await root.createAgent(options, presetOf("a", []));
  await assert.rejects(root.createAgent(options, presetOf("a", [])), { code: "NAME_TAKEN" });
  assert.deepEqual([root.agentCount, users()], [1, ["a@1: 1"]]);
  await root.disposeAgent(agent);
  assert.deepEqual([root.agentCount, users()], [0, ["a@1: 0"]]);
});

test("an agent's own registrations are undone before its generation is left", async (t) => {
  const order: string[] = [];
  const traced = { name: "traced", apply: (ctx: Context) => void ctx.effect(() => () => order.push("generation"), "traced") };
  const { root, session } = await orgRoot(t, { plugins: { traced } });
  const agent = await root.createAgent(session(), presetOf("a", ["traced"]));
  await root.retirePresets(() => false);
  agent.ctx.effect(
    () => async () => {
      await new Promise(setImmediate);
      order.push("agent");
    },
    "own",
  );
  await root.disposeAgent(agent);
  assert.deepEqual(order, ["agent", "generation"]);
});

test("a root closes in order: agents, generations, host rows; then nothing is made any more", async (t) => {
  const order: string[] = [];
  const traced = {
    name: "traced",
    apply: (ctx: Context, { as }: { as: string }) =>
      void ctx.effect(
        () => async () => {
          await new Promise(setImmediate);
          order.push(as);
        },
        "traced",
      ),
  };
  const row = (as: string) => ({ id: "traced", name: "traced", config: { as } });
  const { root, session } = await orgRoot(t, { plugins: { traced }, extraRows: [row("host")] });
  const agents = [];
  for (const slug of ["a", "a", "b"]) agents.push(await root.createAgent(session(), presetOf(slug, [row("generation")])));
  for (const { ctx } of agents) ctx.effect(() => () => order.push("agent"), "own");
  const closings = [root.close(), root.close()];
  await assert.rejects(root.createAgent(session(), presetOf("a", [])), { code: "UNAVAILABLE" });
  await Promise.all(closings);
  assert.deepEqual(order, ["agent", "agent", "agent", "generation", "generation", "host"]);
  assert.deepEqual([root.agentCount, root.generations(), root.taint], [0, [], null]);
});

test("an agent in the making when the root closes does not come up and leaves nothing", async (t) => {
  const gate = Promise.withResolvers<void>();
  const slow = { name: "slow", apply: () => gate.promise };
  const { root, session } = await orgRoot(t, { plugins: { slow } });
  const refused = assert.rejects(root.createAgent(session(), presetOf("a", ["slow"])));
  const late = assert.rejects(Promise.resolve().then(() => root.createAgent(session(), presetOf("a", ["slow"]))));
  const closed = root.close();
  gate.resolve();
  await Promise.all([refused, late, closed]);
  assert.deepEqual([root.agentCount, root.generations(), root.taint], [0, [], null]);
});

test("a root that does not come to rest is tainted, tells its host, and is sealed all the same", async (t) => {
  const taints: string[] = [];
  const gate = Promise.withResolvers<void>();
  const stuck = { name: "stuck", apply: (ctx: Context) => void ctx.effect(() => () => gate.promise, "stuck") };
  const { root, session } = await orgRoot(t, {
    plugins: { stuck },
    onTaint: (reason) => taints.push(reason),
    limits: { restMs: 20, agentRestMs: 20 },
  });
  await root.createAgent(session(), presetOf("a", ["stuck"]));
  await assert.rejects(root.close(), { code: "FIBER_STUCK" });
  assert.deepEqual(taints, [root.taint]);
  await assert.rejects(root.createAgent(session(), presetOf("a", [])), { code: "UNAVAILABLE" });
  gate.resolve();
});
