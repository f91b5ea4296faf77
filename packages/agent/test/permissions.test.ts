import assert from "node:assert/strict";
import { test } from "node:test";
import { type EventDraft, isAppError, type PermissionPreset, permissionPresets, type SandboxModeName } from "@gantry/contracts";
import type { World } from "@gantry/sandbox";
import type { Agent } from "../src/loop/agent.ts";
import { checkedTable } from "../src/permissions/facts.ts";
import { dataOf, gateTool, testAgent, textOf, types } from "./support/agent.ts";

const permissionsOf = (agent: Agent) => agent.ctx.get("permissions") ?? assert.fail();
const ok = () => ({ text: "ok" });
const mode = (name: SandboxModeName): EventDraft => ({ type: "sandbox/mode", data: { mode: name } });
const policy = (name: "ask" | "never"): EventDraft => ({ type: "approval/policy", data: { policy: name } });

test("PRM-1 PRM-2 what holds is the last word of the log, else the default; the presets that ship name three pairs", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  const permissions = permissionsOf(agent);
  assert.deepEqual([agent.sandboxMode(), permissions.current(agent)], ["workspace-write", "workspace-write"]);
  for (const preset of permissionPresets) {
    permissions.set(agent, preset.name);
    assert.deepEqual([agent.sandboxMode(), permissions.current(agent)], [preset.mode, preset.name]);
  }
  assert.deepEqual(
    permissionPresets.map((preset) => [preset.name, preset.policy]),
    [
      ["read-only", "ask"],
      ["workspace-write", "ask"],
      ["danger-full-access", "never"],
    ],
  );
});

test("AG-107 facts set by hand to a pair that no preset has are custom, which is never recorded", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  const permissions = permissionsOf(agent);
  permissions.set(agent, "read-only");
  agent.append(policy("never"));
  assert.equal(permissions.current(agent), "custom");
  agent.append(mode("danger-full-access"));
  assert.equal(permissions.current(agent), "danger-full-access", "the first row that fits, where the recorded one does not");
  assert.deepEqual(
    dataOf(agent, "permission/preset").map(({ preset }) => preset),
    ["read-only"],
  );
});

test("PRM-3 a switch logs what changes and nothing else; asserting it again repairs what drifted", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  const permissions = permissionsOf(agent);
  permissions.set(agent, "workspace-write");
  assert.deepEqual(types(agent), ["permission/preset"]);
  permissions.set(agent, "workspace-write");
  assert.equal(types(agent).length, 1);
  permissions.set(agent, "read-only");
  assert.deepEqual(types(agent).slice(1), ["permission/preset", "sandbox/mode"]);
  agent.append(mode("danger-full-access"));
  agent.append(policy("never"));
  permissions.set(agent, "read-only");
  assert.deepEqual(types(agent).slice(5), ["sandbox/mode", "approval/policy"]);
  assert.equal(permissions.current(agent), "read-only");
  const length = types(agent).length;
  assert.throws(
    () => permissions.set(agent, "custom"),
    (error) => isAppError(error, "INPUT_REFUSED"),
  );
  assert.equal(types(agent).length, length);
});

test("PRM-2 a table with the name custom, or with one name twice, does not load", () => {
  const row: PermissionPreset = { name: "mine", mode: "read-only", policy: "never" };
  assert.deepEqual(checkedTable([row]), [row]);
  assert.throws(() => checkedTable([{ ...row, name: "custom" }]), /"custom" is what a session is called/);
  assert.throws(() => checkedTable([row, row]), /there twice/);
  const widened = { name: "workspace-write", mode: "danger-full-access", policy: "never" } as const;
  assert.throws(() => checkedTable([widened]), /"workspace-write" always means mode workspace-write and policy ask/);
});

test("PRM-2 an org's own table is what its sessions have", async (t) => {
  const presets = [{ name: "locked", mode: "read-only", policy: "never" } as const];
  const { agent } = await testAgent(t, { script: ok, host: { "permission-presets": { presets } } });
  permissionsOf(agent).pin(agent, "workspace-write");
  assert.deepEqual(
    dataOf(agent, "permission/preset").map(({ preset }) => preset),
    ["locked"],
    "a default that the org does not have gives way",
  );
  assert.deepEqual([agent.sandboxMode(), permissionsOf(agent).current(agent)], ["read-only", "locked"]);
});

test("AG-106 PRM-4 a session pins what is missing, once; what its log says stays whatever the default is now", async (t) => {
  const { agent } = await testAgent(t, { script: ok });
  permissionsOf(agent).pin(agent, "read-only");
  assert.deepEqual(types(agent), ["permission/preset", "sandbox/mode", "approval/policy"]);
  permissionsOf(agent).pin(agent, "danger-full-access");
  assert.equal(types(agent).length, 3);
  assert.equal(agent.sandboxMode(), "read-only");
  const half = await testAgent(t, { script: ok });
  half.agent.append(mode("danger-full-access"));
  permissionsOf(half.agent).pin(half.agent, "read-only");
  assert.deepEqual(types(half.agent), ["sandbox/mode", "approval/policy"]);
  assert.equal(half.agent.sandboxMode(), "danger-full-access");
});

test("AG-079 a switch between turns is one new snapshot before the next request; unchanged there is none", async (t) => {
  const { agent, say } = await testAgent(t, { script: ok });
  const snapshots = () =>
    dataOf(agent, "user/message")
      .filter(({ source }) => source.kind === "plugin" && source.plugin === "system-prompt")
      .map(textOf);
  const turn = async (text: string) => {
    say(text);
    await agent.whenIdle();
  };
  await turn("one");
  await turn("two");
  assert.equal(snapshots().length, 1);
  permissionsOf(agent).set(agent, "read-only");
  await turn("three");
  await turn("four");
  assert.equal(snapshots().length, 2);
  assert.match(snapshots()[1] ?? "", /Sandbox: read-only/);
});

test("PRM-5 a change of the approval policy is told to a model that has begun; a change of the mode alone is in the facts only", async (t) => {
  const { agent, say } = await testAgent(t, { script: ok });
  permissionsOf(agent).set(agent, "danger-full-access");
  assert.ok(agent.inbox.isEmpty, "nobody has read the old one");
  say("one");
  await agent.whenIdle();
  permissionsOf(agent).set(agent, "read-only");
  assert.equal(agent.inbox.pending("next-step").length, 1);
  permissionsOf(agent).set(agent, "workspace-write");
  assert.equal(agent.inbox.pending("next-step").length, 1);
});

test("PRM-5 bodies that run keep their world; the next call works in one of the mode that holds then", async (t) => {
  const opened: SandboxModeName[] = [];
  const world = (at: SandboxModeName) => ({ mode: at, isOpen: true, closed: new Promise(() => {}) }) as unknown as World;
  const call = (name: string) => ({ name, arguments: {} });
  const { agent, say } = await testAgent(t, {
    script: (request) =>
      request.messages.some(({ role }) => role === "tool") ? { text: "ok" } : { toolCalls: [call("first"), call("second")] },
    world: (async (_agent: unknown, at: SandboxModeName) => {
      opened.push(at);
      return world(at);
    }) as never,
  });
  const first = gateTool(agent, "first");
  const second = gateTool(agent, "second");
  say("go");
  await first.started;
  assert.equal((await agent.world()).mode, "workspace-write");
  permissionsOf(agent).set(agent, "read-only");
  assert.equal(agent.sandboxMode(), "read-only", "the next decision knows");
  assert.equal((await agent.world()).mode, "workspace-write", "the body that runs does not");
  first.finish();
  await second.started;
  assert.equal((await agent.world()).mode, "read-only");
  second.finish();
  await agent.whenIdle();
  assert.deepEqual([...new Set(opened)], ["workspace-write", "read-only"]);
});
