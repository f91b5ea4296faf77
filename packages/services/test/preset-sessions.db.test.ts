import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { OrgId, SessionId } from "@gantry/contracts";
import { pendingCommands, withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import { listPresetSessions } from "../src/preset/list-preset-sessions.ts";
import { pinPreset } from "../src/preset/pin-preset.ts";
import { removePreset } from "../src/preset/remove-preset.ts";
import { setDefaultPreset } from "../src/preset/set-default-preset.ts";
import { deriveSessionId } from "../src/session/derive-session-id.ts";
import { forkSession } from "../src/session/fork/fork-session.ts";
import { getSession } from "../src/session/get-session.ts";
import { selectPreset } from "../src/session/select-preset.ts";
import { updateSettings } from "../src/settings/update-settings.ts";
import { waitForWaiters } from "./composition-support.ts";
import { goodSource, startPreset } from "./preset-support.ts";
import { openWriter } from "./session-writer.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();

async function begin() {
  const started = await startPreset(world);
  const { ctx, org, tenant, sql } = started;
  const setDefault = (slug: string, level: "org" | "workspace" = "org") =>
    updateSettings(ctx, {
      org,
      namespace: "presets",
      level,
      values: { default: slug },
      ...(level === "workspace" && { workspaceId: tenant.workspaceId }),
    });
  return {
    ...started,
    setDefault,
    revisions: async () => (await sql("SELECT revision FROM preset_revisions WHERE org_id IS NOT NULL")).map(({ revision }) => revision),
  };
}

/** Inserts a copy of a session under an id and does not commit, so that whoever inserts that id waits; `release` takes it back. */
async function holdSessionId(orgId: OrgId, like: SessionId, id: SessionId): Promise<{ release(): Promise<void> }> {
  const [held, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = withOrg(
    orgId,
    async (tx) => {
      const row = await tx.session.findUniqueOrThrow({ where: { id: like, orgId } });
      await tx.session.create({ data: { ...row, id } });
      held.resolve();
      await end.promise;
      throw new Error("taken back");
    },
    { timeoutMs: 20_000 },
  );
  await Promise.race([held.promise, holding]);
  return {
    release: async () => {
      end.resolve();
      await assert.rejects(holding, /taken back/);
    },
  };
}

describe("the preset of a new session", () => {
  test("G-19 it is pinned to the revision in force, and a later edit leaves it there", async () => {
    const { ctx, org, start, save } = await begin();
    const { sessionId, pinned } = await start("mine");
    assert.equal(pinned, "mine@1");
    await save(goodSource(1_000));
    assert.deepEqual((await getSession(ctx, { org, sessionId })).preset, { slug: "mine", name: "Mine", revision: 1, isCurrent: false });
    assert.equal((await start("mine")).pinned, "mine@2");
  });

  test("G-5 the workspace's default counts before the organisation's, and that before the platform's", async () => {
    const { start, setDefault, list, ctx, mine } = await begin();
    assert.equal((await start()).pinned, "standard@1");
    await setDefaultPreset(ctx, mine);
    assert.equal((await start()).pinned, "mine@1");
    assert.deepEqual([(await list()).mine?.isDefault, (await list()).standard?.isDefault], [true, false]);
    await setDefault("standard", "workspace");
    assert.equal((await start()).pinned, "standard@1");
  });

  test("G-5 a default that names nothing is told when a session asks for it; a named preset starts all the same", async () => {
    const { start, setDefault } = await begin();
    await setDefault("gone");
    await assert.rejects(start(), { code: "PRESET_UNKNOWN", message: /default preset does not exist/ });
    assert.equal((await start("mine")).pinned, "mine@1");
  });

  test("KN-091 a broken preset is listed with its reason, readable and removable, and starts nothing; others are unaffected", async () => {
    const { sql, list, get, start, ctx, mine } = await begin();
    await sql('UPDATE preset_revisions SET rows = \'[{"id": "shell", "name": "tool-gone"}]\', hash = \'h\' WHERE slug = \'mine\'');
    const { mine: item, standard } = await list();
    assert.deepEqual([item?.state, standard?.state], ["broken", "ok"]);
    assert.match(item?.reasons.join() ?? "", /^\$\.shell\.name: No plugin named "tool-gone"/);
    assert.equal((await get()).source, goodSource());
    await assert.rejects(start("mine"), { code: "PRESET_BROKEN", message: /No plugin named "tool-gone"/ });
    await assert.rejects(setDefaultPreset(ctx, mine), { code: "PRESET_BROKEN" });
    assert.equal((await start()).pinned, "standard@1");
    await removePreset(ctx, mine);
    assert.deepEqual(Object.keys(await list()), ["standard"]);
  });

  test("M-7 E-9 the same rows are judged by each organisation's own plan, and anew when it changes", async () => {
    const [plain, beta] = [await begin(), await begin()];
    const flag = (org: typeof beta, on: boolean) => org.sql("UPDATE orgs SET flags = $1", [JSON.stringify({ beta: on })]);
    await flag(beta, true);
    const timeoutMs = "{ $if: { $eq: [{ $fact: org.flag.beta, default: false }, true] }, then: soon, else: 5 }";
    const source = `- id: shell\n  name: tool-bash\n  config: { timeoutMs: ${timeoutMs} }\n`;
    assert.deepEqual([(await plain.save(source)).saved, (await beta.save(source)).saved], ["revision", "draft"]);
    assert.equal((await plain.list()).mine?.state, "ok");
    await flag(plain, true);
    assert.equal((await plain.list()).mine?.state, "broken");
    await flag(plain, false);
    assert.equal((await plain.list()).mine?.state, "ok");
  });
});

describe("removing a preset", () => {
  test("G-2 KN-092 revisions with sessions stay for them, the others go, and so do the defaults that name it", async () => {
    const { ctx, org, mine, save, start, setDefault, revisions, list, actions } = await begin();
    await save(goodSource(1_000));
    const { sessionId } = await start("mine");
    await save(goodSource(2_000), 2);
    await setDefault("mine");
    await setDefault("mine", "workspace");
    await removePreset(ctx, mine);
    assert.deepEqual(await revisions(), [2]);
    assert.equal((await start()).pinned, "standard@1");
    assert.deepEqual((await getSession(ctx, { org, sessionId })).preset, { slug: "mine", name: "Mine", revision: 2, isCurrent: false });
    assert.deepEqual(Object.keys(await list()), ["standard"]);
    assert.equal((await actions()).at(-1), "preset.remove");
    await assert.rejects(start("mine"), { code: "PRESET_UNKNOWN" });
  });

  test("G-2 a revision that a session is about to be put on stays", async () => {
    const { ctx, org, mine, start, revisions } = await begin();
    const { sessionId } = await start();
    await selectPreset(ctx, { org, sessionId, preset: "mine", clientKey: newId() });
    await removePreset(ctx, mine);
    assert.deepEqual(await revisions(), [1]);
  });

  test("G-2 sessions that start while it is removed keep their revision or are refused", async () => {
    for (let attempt = 0; attempt < 5; attempt++) {
      const { ctx, mine, start, revisions } = await begin();
      const starts = Array.from({ length: 4 }, () => start("mine"));
      const [removed, ...results] = await Promise.allSettled([removePreset(ctx, mine), ...starts]);
      assert.equal(removed?.status, "fulfilled");
      const started = results.filter((result) => result.status === "fulfilled");
      for (const result of results) if (result.status === "rejected") assert.equal(result.reason.code, "PRESET_UNKNOWN");
      assert.deepEqual(await revisions(), started.length > 0 ? [1] : []);
    }
  });

  test("G-2 a fork that is being made while its source goes elsewhere and the preset is removed keeps its revision", async () => {
    const { ctx, tenant, org, mine, start, revisions } = await begin();
    const { sessionId } = await start("mine");
    const clientKey = newId();
    const blocker = await holdSessionId(ctx.orgId, sessionId, deriveSessionId(ctx.orgId, ctx.userId, `fork/${clientKey}`));
    const forking = forkSession(ctx, { org, sessionId, clientKey });
    await waitForWaiters(world, 1);
    const standard = await withOrg(ctx.orgId, (tx) => pinPreset(tx, ctx, "standard"));
    const data = { presetId: standard.id, presetRevision: standard.revision };
    await withOrg(ctx.orgId, (tx) => tx.session.update({ where: { id: sessionId, orgId: ctx.orgId }, data }));
    const removal = removePreset(ctx, mine);
    await Promise.race([removal, waitForWaiters(world, 2)]);
    await blocker.release();
    const { sessionId: fork } = await forking;
    await removal;
    assert.deepEqual(await revisions(), [1]);
    assert.equal((await getSession(ctx, { org: tenant.slug, sessionId: fork })).preset?.revision, 1);
  });
});

describe("switching a session", () => {
  test("G-20 a session that has produced nothing is asked to switch, once for each key", async () => {
    const { ctx, org, tenant, start, actions, save } = await begin();
    const { sessionId } = await start();
    const input = { org, sessionId, preset: "mine", clientKey: newId() };
    const first = await selectPreset(ctx, input);
    await save(goodSource(1_000));
    assert.deepEqual(await selectPreset(ctx, input), first);
    const pending = await pendingCommands(tenant.orgId, sessionId);
    assert.deepEqual(
      pending.map(({ payload }) => payload.kind === "select-preset" && payload.revision),
      [1],
    );
    await assert.rejects(selectPreset(ctx, { ...input, preset: "standard" }), { code: "CONFLICT" });
    assert.equal((await actions()).filter((action) => action === "session.selectPreset").length, 1);
  });

  test("G-20 G-19 not once it has begun to work, unless it is read-only", async () => {
    const { ctx, org, tenant, sql } = await begin();
    const { sessionId } = tenant;
    const input = () => ({ org, sessionId, preset: "mine", clientKey: newId() });
    const before = input();
    await selectPreset(ctx, before);
    await (await openWriter(world.deps.publisher, tenant)).append(1);
    await assert.rejects(selectPreset(ctx, input()), { code: "CONFLICT", message: /Start a new session/ });
    await selectPreset(ctx, before); // its first time was in time
    await sql("UPDATE sessions SET status = 'read-only' WHERE id = $1", [sessionId]);
    await selectPreset(ctx, input());
    assert.equal((await pendingCommands(tenant.orgId, sessionId)).length, 2);
  });

  test("SC-T1 another organisation's session and preset read like ones that do not exist", async () => {
    const [home, other] = [await begin(), await begin()];
    const { sessionId } = home.tenant;
    const input = { org: other.org, sessionId, preset: "mine", clientKey: newId() };
    await assert.rejects(selectPreset(other.ctx, input), { code: "NOT_FOUND" });
    assert.deepEqual(await pendingCommands(home.tenant.orgId, sessionId), []);
  });
});

test("SC-T1 the sessions of a preset are paged, and those of other organisations are not among them", async () => {
  const { ctx, org, start } = await begin();
  const started = [];
  for (let count = 0; count < 3; count++) started.unshift((await start("mine")).sessionId);
  const query = { org, slug: "mine", revision: 1, limit: 2 };
  const first = await listPresetSessions(ctx, query);
  const second = await listPresetSessions(ctx, { ...query, cursor: first.nextCursor ?? "" });
  assert.deepEqual([...first.items, ...second.items].map(({ id }) => id).sort(), [...started].sort());
  assert.equal(second.nextCursor, null);
  const { items } = await listPresetSessions(ctx, { org, slug: "standard", revision: 1 });
  assert.equal(items.length, 1); // the tenant's own first one
});
