import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventData, SessionEvent } from "@gantry/contracts";
import { sessionsDue, standardPresetId, withOrg } from "@gantry/db";
import { type Ref, startHolder } from "./support/holder.ts";
import { until } from "./support/until.ts";

const holder = await startHolder(() => ({ text: "done" }));
const { addOrg, addPreset, post, say, hold, row, events, waiting } = holder;
const standard = { presetId: standardPresetId, revision: 1 };
const gone = [{ id: "old", name: "plugin-of-an-earlier-release" }];

const types = (all: readonly SessionEvent[]) => all.map(({ type }) => type);
const selections = (all: readonly SessionEvent[]) =>
  all.flatMap((event) => (event.type === "agent-preset/selected" ? [event.data as EventData<"agent-preset/selected">] : []));
const answered = (ref: Ref) => until(async () => types(await events(ref)).includes("turn/end"), "the end of the turn");
const age = (ref: Ref) =>
  holder.db.asOwner(ref.orgId, "UPDATE session_commands SET created_at = now() - interval '1 minute' WHERE session_id = $1", [
    ref.sessionId,
  ]);

test("KN-095 a session whose plugin left the catalogue opens read-only with the reason, keeps what waits, and goes on after a logged switch", async () => {
  const { orgId, userId, addSession } = await addOrg();
  const pinned = await addPreset(orgId, "old-one", gone);
  const ref = await addSession(pinned);
  await say(ref, userId, "hello");
  await hold(ref);
  const shown = await row(ref);
  assert.equal(shown.status, "read-only");
  assert.match(shown.problem ?? "", /"old-one".*plugin/);
  assert.deepEqual([await waiting(ref), types(await events(ref))], [["send"], []]);

  await age(ref);
  assert.deepEqual(await sessionsDue(orgId), [], "nothing wakes it");
  const preset = await withOrg(orgId, (tx) => tx.preset.findUniqueOrThrow({ where: { id: pinned.presetId } }));
  assert.equal(preset.brokenRevision, 1, "the list of presets shows it");
  assert.match(preset.brokenReason ?? "", /plugin/);

  await post(ref, { kind: "select-preset", ...standard, userId });
  void hold(ref);
  await answered(ref);
  const log = await events(ref);
  const permissions = ["permission/preset", "sandbox/mode", "approval/policy"];
  assert.deepEqual(types(log).slice(0, 5), ["agent-preset/selected", ...permissions, "agent/inbox/spliced"]);
  assert.deepEqual(
    selections(log).map(({ presetId, revision, slug }) => [presetId, revision, slug]),
    [[standardPresetId, 1, "standard"]],
  );
  await until(async () => (await row(ref)).status === "idle", "the session's row");
  const after = await row(ref);
  assert.deepEqual([after.presetId, after.presetRevision, after.problem], [standardPresetId, 1, null]);
  assert.deepEqual(await waiting(ref), []);
});

test("G-19 a switch to another preset that cannot be mounted says so, and another can be selected", async () => {
  const { orgId, userId, addSession } = await addOrg();
  const ref = await addSession(await addPreset(orgId, "first", gone));
  await post(ref, { kind: "select-preset", ...(await addPreset(orgId, "second", gone)), userId });
  await hold(ref);
  const shown = await row(ref);
  assert.equal(shown.status, "read-only");
  assert.match(shown.problem ?? "", /"second"/);
  assert.deepEqual(await waiting(ref), [], "the wish was tried");
});

test("G-20 a session that has produced nothing changes its preset; one that has begun keeps it", async () => {
  const { orgId, userId, addSession } = await addOrg();
  const own = await addPreset(orgId, "own", [{ id: "persona", name: "persona", config: { prefix: "You are brief." } }]);
  const ref = await addSession();
  await post(ref, { kind: "select-preset", ...own, userId });
  await say(ref, userId, "hello");
  void hold(ref);
  await answered(ref);
  assert.deepEqual(
    selections(await events(ref)).map(({ slug }) => slug),
    ["own"],
  );
  assert.match(JSON.stringify(holder.model.requests.at(-1)), /You are brief/);
  await post(ref, { kind: "select-preset", ...standard, userId });
  await until(async () => (await waiting(ref)).length === 0, "the refused wish");
  assert.equal(selections(await events(ref)).length, 1);
  assert.equal((await row(ref)).presetId, own.presetId);
});

test("M-6 another org's preset cannot be selected", async () => {
  const foreign = await addOrg();
  const theirs = await addPreset(foreign.orgId, "theirs", []);
  const { userId, addSession } = await addOrg();
  const ref = await addSession();
  await post(ref, { kind: "select-preset", ...theirs, userId });
  await say(ref, userId, "hello");
  void hold(ref);
  await answered(ref);
  assert.deepEqual([selections(await events(ref)), (await row(ref)).presetId], [[], standardPresetId]);
});

test("G-17 a revision that is no longer current goes with its last session when another begins", async () => {
  const { orgId, userId, addSession } = await addOrg();
  const old = await addPreset(orgId, "edited", []);
  const first = await addSession(old);
  await say(first, userId, "hello");
  void hold(first);
  await answered(first);
  const { presetId } = old;
  await withOrg(orgId, async (tx) => {
    await tx.presetRevision.create({ data: { presetId, revision: 2, orgId, slug: "edited", name: "edited", rows: [], hash: "new" } });
    await tx.preset.update({ where: { id: presetId }, data: { currentRevision: 2 } });
  });
  const second = await addSession({ presetId, revision: 2 });
  await say(second, userId, "hello");
  void hold(second);
  await answered(second);
  const root = holder.deps.roots.look(orgId);
  const state = root.flatMap(({ generations }) => generations.map(({ revision, isRetired, users }) => ({ revision, isRetired, users })));
  assert.deepEqual(state, [
    { revision: 1, isRetired: true, users: 1 },
    { revision: 2, isRetired: false, users: 1 },
  ]);
});

test("a session of an org whose composition cannot start says why, and goes on when it is repaired", async () => {
  const { orgId, userId, addSession } = await addOrg();
  const layer = { orgId, profile: "web", kind: "org" };
  await withOrg(orgId, async (tx) => {
    await tx.compositionRevision.create({ data: { ...layer, revision: 1, bundles: [], source: "not: a list" } });
    await tx.compositionPointer.create({ data: { ...layer, revision: 1 } });
  });
  const ref = await addSession();
  await say(ref, userId, "hello");
  await assert.rejects(hold(ref), /cannot start/);
  assert.match((await row(ref)).problem ?? "", /Revision 1 cannot be read/);
  await withOrg(orgId, (tx) => tx.compositionPointer.deleteMany({ where: layer }));
  void hold(ref);
  await answered(ref);
  await until(async () => (await row(ref)).problem === null, "the end of the problem");
});
