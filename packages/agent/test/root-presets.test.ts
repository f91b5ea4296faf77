import assert from "node:assert/strict";
import { test } from "node:test";
import { composePreset, platformPresets, standardRows } from "@gantry/compose";
import { defineTool } from "@gantry/tools";
import { z } from "zod";
import type { Agent } from "../src/loop/agent.ts";
import type { PresetRef } from "../src/presets/preset-ref.ts";
import { draft, logOf } from "./support/log.ts";
import { fixtures, group, presetOf } from "./support/presets.ts";
import { orgRoot } from "./support/root.ts";

const ownTool = defineTool({
  name: "own",
  description: "of one session",
  parameters: z.object({}),
  output: z.object({}),
  execute: async () => ({}),
  render: () => "",
});

function shipped(slug: string, revision: number): PresetRef {
  const preset = platformPresets.find((one) => one.slug === slug && one.revision === revision);
  const { hash, mounts, problems } = composePreset({ slug, revision, rows: preset?.rows, facts: {} });
  assert.deepEqual(problems, [], `${slug}@${revision}`);
  return { presetId: `id-of-${slug}`, slug, revision, hash, mounts };
}

const toolsOf = (agent: Agent) => agent.ctx.tools.schemas(agent).map(({ name }) => name);

test("AG-038 two sessions on the shipped preset share one mount and do not see each other's registrations", async (t) => {
  const { root, session, users } = await orgRoot(t);
  const before = root.inspect();
  const preset = shipped("standard", 1);
  assert.deepEqual(preset.mounts, standardRows);
  const [one, two] = await Promise.all([root.createAgent(session(), preset), root.createAgent(session(), preset)]);
  assert.deepEqual(users(), ["standard@1: 2"]);
  assert.equal(root.inspect().plugins.filter(({ row }) => row === "tool-bash").length, 1);
  one.ctx.tools.register(ownTool);
  assert.ok(toolsOf(one).includes("own") && toolsOf(one).includes("bash"));
  assert.ok(!toolsOf(two).includes("own") && toolsOf(two).includes("bash"));
  const bare = await root.createAgent(session(), presetOf("bare", []));
  assert.ok(!toolsOf(bare).includes("bash"), "what a preset registers is seen by its agents only");
  const read = await root.lendPreset(preset, (key) => two.ctx.tools.schemas(key).map(({ name }) => name));
  assert.deepEqual(read, toolsOf(two));
  await Promise.all([one, two, bare].map((agent) => root.disposeAgent(agent)));
  assert.equal(root.agentCount, 0);
  await root.evictIdle(0);
  assert.deepEqual(root.inspect(), before);
});

test("every shipped revision mounts", async (t) => {
  const { root, session, users } = await orgRoot(t);
  for (const { slug, revision } of platformPresets) await root.createAgent(session(), shipped(slug, revision));
  assert.deepEqual(
    users(),
    platformPresets.map(({ slug, revision }) => `${slug}@${revision}: 1`),
  );
});

test("AG-039 a preset with a service that is not isolated is rejected with the service's name; its session does not come up", async (t) => {
  const told: (readonly [string, readonly string[]])[] = [];
  const { plugins } = fixtures();
  const { root, session } = await orgRoot(t, { plugins, onBroken: ({ slug }, reasons) => told.push([slug, reasons]) });
  const before = root.inspect();
  await assert.rejects(root.createAgent(session(), presetOf("open", ["lamp"])), {
    code: "PRESET_BROKEN",
    message: /"lamp" is not private/,
  });
  assert.deepEqual([root.inspect(), root.agentCount], [before, 0]);
  assert.deepEqual(told, [["open", ['lamp: the service "lamp" is not private to the preset; isolate it in its row or group']]]);

  const lit = presetOf("lit", [group("g", [{ id: "lamp", name: "lamp" }], { isolate: { lamp: true } })]);
  const [agent, other] = [await root.createAgent(session(), lit), await root.createAgent(session(), presetOf("dark", []))];
  assert.deepEqual([root.serviceFor(agent, "lamp")?.color, root.serviceFor(other, "lamp")], ["red", undefined]);
});

test("a listener for broken presets that fails is logged and changes nothing", async (t) => {
  const { plugins } = fixtures();
  const onBroken = () => assert.fail("no");
  const { root, session, lines } = await orgRoot(t, { plugins, onBroken });
  await assert.rejects(root.createAgent(session(), presetOf("bad", ["fails"])), { code: "PRESET_BROKEN", message: /no oil/ });
  assert.ok(lines.some(({ message }) => message?.includes("listener for broken presets")));
});

test("a child agent joins the generation that its parent runs on, also a retired one", async (t) => {
  const { root, session, users } = await orgRoot(t);
  const parent = await root.createAgent(session(), shipped("standard", 1));
  await root.retirePresets(() => false);
  const child = await root.createAgent(session(), parent);
  assert.deepEqual([users(), toolsOf(child)], [["standard@1: 2"], toolsOf(parent)]);
  await root.disposeAgent(parent);
  assert.ok(toolsOf(child).includes("bash"));
  await root.disposeAgent(child);
  assert.deepEqual(users(), []);
  await assert.rejects(root.createAgent(session(), parent), { code: "CONFLICT" });
});

test("a session may change its preset while it has produced nothing, and later only by force; a failure leaves it where it was", async (t) => {
  const { plugins } = fixtures();
  const { root, session, users } = await orgRoot(t, { plugins });
  const [standard, bare] = [shipped("standard", 1), presetOf("bare", [])];
  const fresh = await root.createAgent(session(), standard);
  await root.switchPreset(fresh, bare);
  assert.ok(!toolsOf(fresh).includes("bash"));
  await assert.rejects(root.switchPreset(fresh, presetOf("bad", ["fails"])), { code: "PRESET_BROKEN" });
  await root.switchPreset(fresh, standard);
  assert.ok(toolsOf(fresh).includes("bash"));

  const begun = await root.createAgent(session(logOf(draft.turnStart(1), draft.turnEnd(1))), standard);
  await assert.rejects(root.switchPreset(begun, bare), { code: "PRESET_LOCKED" });
  assert.deepEqual(users(), ["standard@1: 2", "bare@1: 0"]);
  await root.switchPreset(begun, bare, { force: true });
  assert.deepEqual([users(), toolsOf(begun).includes("bash")], [["standard@1: 1", "bare@1: 1"], false]);
  await root.disposeAgent(begun);
  await assert.rejects(root.switchPreset(begun, standard, { force: true }), { code: "CONFLICT" });
  assert.deepEqual(users(), ["standard@1: 1", "bare@1: 0"]);
});

test("a turn that begins while the other preset mounts keeps the session where it was", async (t) => {
  const gate = Promise.withResolvers<void>();
  const slow = { name: "slow", apply: () => gate.promise };
  const { root, session, users } = await orgRoot(t, { plugins: { slow } });
  const agent = await root.createAgent(session(), presetOf("a", []));
  const refused = assert.rejects(root.switchPreset(agent, presetOf("b", ["slow"])), { code: "PRESET_LOCKED" });
  agent.append(draft.turnStart(1));
  gate.resolve();
  await refused;
  assert.deepEqual(users(), ["a@1: 1", "b@1: 0"]);
});
