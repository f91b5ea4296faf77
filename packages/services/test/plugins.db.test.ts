import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { getLayer } from "../src/composition/get-layer.ts";
import { cancelInstall } from "../src/plugin/cancel-install.ts";
import { inspectPlugin } from "../src/plugin/inspect-plugin.ts";
import { installBundle } from "../src/plugin/install-bundle.ts";
import { listPlugins } from "../src/plugin/list-plugins.ts";
import { removeBundle } from "../src/plugin/remove-bundle.ts";
import { setBundle } from "../src/plugin/set-bundle.ts";
import { setRowEnabled } from "../src/plugin/set-row-enabled.ts";
import { holdLock, startComposition, waitForWaiters } from "./composition-support.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();

async function start() {
  const org = await startComposition(world);
  const { ctx, input } = org;
  return {
    ...org,
    list: () => listPlugins(ctx, input),
    layer: () => getLayer(ctx, input),
    toggle: (row: string, enabled: boolean, expectedRevision: number, name = row) =>
      setRowEnabled(ctx, { ...input, row, name, enabled, expectedRevision, reason: "trying" }),
    select: (bundle: string, on: boolean, expectedRevision: number) => setBundle(ctx, { ...input, bundle, on, expectedRevision }),
    inspect: (spec: string) => inspectPlugin(ctx, { ...input, spec }),
    install: (spec: string, requestId: string = randomUUID(), expectedRevision = 0) =>
      installBundle(ctx, { ...input, spec, requestId, expectedRevision }),
    cancel: (requestId: string) => cancelInstall(ctx, { ...input, requestId }),
    remove: (bundle: string, expectedRevision: number) => removeBundle(ctx, { ...input, bundle, expectedRevision }),
  };
}

describe("switching a row", () => {
  test("KN-100 the last patch that names the row is edited, else one is appended; the rest of the text stays", async () => {
    const { save, toggle, layer, list, audit } = await start();
    const written = "# ours\n- id: llm-retry # slow provider\n  config:\n    maxRetries: 2\n";
    await save(written, 0);
    const { message, ...off } = await toggle("llm-retry", false, 1);
    assert.match(message ?? "", /every session takes the new one when it is next opened/);
    assert.deepEqual(off, {
      stage: "activate",
      target: "llm-retry",
      saved: true,
      applied: "new-sessions",
      revision: 2,
      warnings: [],
      affectedPresets: [],
      code: null,
    });
    assert.match((await layer()).source, /^# ours\n- id: llm-retry # slow provider\n {2}config:\n {4}maxRetries: 2\n {2}disabled: true\n$/);
    assert.equal((await list()).rows.find(({ id }) => id === "llm-retry")?.state, "disabled");
    await toggle("llm-retry", true, 2);
    assert.equal((await layer()).source, written);
    await toggle("sandbox-prewarm", false, 3);
    assert.ok((await layer()).source.startsWith(written));
    assert.deepEqual(
      (await audit("plugin.setEnabled")).map(({ subject, details }) => [subject, details.from, details.to, details.reason]),
      [
        ["llm-retry", 1, 2, "trying"],
        ["llm-retry", 2, 3, "trying"],
        ["sandbox-prewarm", 3, 4, "trying"],
      ],
    );
    const same = await toggle("sandbox-prewarm", false, 4);
    assert.deepEqual([same.saved, same.applied, same.revision, same.code], [false, "none", 4, null]);
  });

  test("KN-100 another plugin's name, unknown, locked and management rows are refused, and nothing is written", async () => {
    const { toggle, layer, audit } = await start();
    const codes = [
      await toggle("llm-retry", false, 0, "tools"),
      await toggle("nowhere", false, 0),
      await toggle("sandbox-policy", false, 0),
      await toggle("agent-loop", false, 0),
      await toggle("plugin-manager", true, 0),
    ].map(({ saved, stage, code }) => [saved, stage, code]);
    const refused = (code: string) => [false, "validate", code];
    const locked = refused("ROW_LOCKED");
    assert.deepEqual(codes, [refused("PATCH_NAME_MISMATCH"), refused("NOT_FOUND"), locked, locked, locked]);
    assert.equal((await layer()).revision, 0);
    assert.deepEqual(await audit("plugin.setEnabled"), []);
    await assert.rejects(toggle("llm-retry", false, 7), { code: "REVISION_STALE" });
  });

  test("N-9 a failure that was there is a warning, one that the change brings fails it", async () => {
    const { store, toggle, layer } = await start();
    const source = `- insert:
    - {id: old, name: gone-plugin}
    - {id: retry-twice, name: llm-retry, disabled: true, config: {maxRetries: lots}}
`;
    await store("org", 1, source);
    const unrelated = await toggle("sandbox-prewarm", false, 1);
    assert.deepEqual([unrelated.saved, unrelated.code, unrelated.warnings.length], [true, null, 1]);
    assert.equal(unrelated.applied, "none", "a composition with a failure is not mounted");
    assert.match(unrelated.warnings[0] ?? "", /line 2.*catalogue/);
    const failed = await toggle("retry-twice", true, 2, "llm-retry");
    assert.deepEqual([failed.saved, failed.applied, failed.revision, failed.code], [false, "none", 2, "CONFIG_INVALID"]);
    assert.match(failed.message ?? "", /^Row retry-twice, field config\.maxRetries: llm-retry refuses this/);
    assert.equal((await layer()).revision, 2);
  });

  test("N-9 a refusal names row and field, never a line of a text that nobody wrote", async () => {
    const { toggle } = await start();
    const { code, message } = await toggle("fs-sandbox", false, 0);
    assert.equal(code, "SERVICE_MISSING");
    assert.match(message ?? "", /^spill would wait for fs.*disabled by this change.* Row fs-sandbox: Sessions need fs/);
    assert.doesNotMatch(message ?? "", /line \d|column \d/);
  });

  test("N-9 what a change left out is told under the label of the revision that it became, also in the record of an installation", async () => {
    const { save, toggle, install, audit } = await start();
    await save("- {id: nowhere, disabled: true}\n", 0);
    const told = (revision: number) => [`org@${revision}: patch 1: no row has the id "nowhere"; patch skipped.`];
    assert.deepEqual((await toggle("sandbox-prewarm", false, 1)).warnings, told(2));
    assert.deepEqual((await install("dry-run", randomUUID(), 2)).warnings, told(3));
    assert.doesNotMatch(JSON.stringify(await audit()), /unsaved/);
  });

  test("N-9 an older failure stays one although its words name the revision that caused it", async () => {
    const { store, toggle, select } = await start();
    await store("org", 1, "- {id: fs-sandbox, disabled: true}\n");
    const switched = await toggle("sandbox-prewarm", false, 1);
    assert.deepEqual([switched.saved, switched.code, switched.applied], [true, null, "none"]);
    assert.match(switched.warnings.join(), /switched off by org@2/);
    assert.equal((await select("quiet-retries", true, 2)).saved, true);
    const mended = await toggle("fs-sandbox", true, 3);
    assert.deepEqual([mended.saved, mended.applied, mended.warnings], [true, "new-sessions", []]);
  });
});

describe("bundles", () => {
  test("the list shows what each brings and overrides, before it is chosen; the chosen ones in their order", async () => {
    const { list, select } = await start();
    const bundle = async (name: string) => (await list()).bundles.find((one) => one.name === name);
    const brings = async (name: string) => {
      const { isOn, rows, overrides } = (await bundle(name)) ?? {};
      return { isOn, rows, overrides };
    };
    const dryRun = { rows: ["subprocess-dry-run"], overrides: ["subprocess-sandbox"] };
    assert.deepEqual(await brings("dry-run"), { isOn: false, ...dryRun });
    assert.equal((await bundle("base"))?.isOptional, false);
    assert.equal((await select("quiet-retries", true, 0)).saved, true);
    assert.equal((await select("dry-run", true, 1)).saved, true);
    assert.equal((await select("patient-retries", true, 2)).saved, true);
    assert.deepEqual(await brings("dry-run"), { isOn: true, ...dryRun });
    const view = await list();
    const chosen = view.bundles.filter(({ isOn, isOptional }) => isOn && isOptional);
    assert.deepEqual(
      chosen.map(({ name }) => name),
      ["quiet-retries", "dry-run", "patient-retries"],
    );
    const retry = view.rows.find(({ id }) => id === "llm-retry");
    assert.deepEqual(retry?.patchedBy, ["quiet-retries@1", "patient-retries@1"], "the one that came last wins");
    const off = await select("quiet-retries", false, 3);
    assert.deepEqual([off.saved, off.revision], [true, 4]);
  });

  test("unknown ones and those that the plan does not include are refused; one that left the release can be taken off", async () => {
    const { tenant, list, select, store, layer } = await start();
    await world.asOwner(tenant.orgId, "UPDATE orgs SET plan_tier = 'free'");
    assert.equal((await select("unheard-of", true, 0)).code, "BUNDLE_UNKNOWN");
    assert.equal((await select("patient-retries", true, 0)).code, "BUNDLE_NOT_ENTITLED");
    assert.equal((await list()).bundles.find(({ name }) => name === "patient-retries")?.isEntitled, false);
    await store("org", 1, "[]", ["dry-run", "gone", "patient-retries"]);
    const first = await select("dry-run", false, 1);
    assert.deepEqual([first.saved, first.warnings.length], [true, 2], "what was wrong before is no reason to refuse");
    await select("gone", false, 2);
    assert.deepEqual((await select("patient-retries", false, 3)).warnings, []);
    assert.deepEqual((await layer()).bundles, []);
    await store("plan", 1, "[]", ["dry-run"]);
    assert.equal((await select("dry-run", false, 4)).code, "ROW_LOCKED");
    assert.equal((await select("dry-run", true, 4)).saved, false);
  });

  test("inspect answers what a name stands for and looks nowhere else", async () => {
    const { inspect, select } = await start();
    await select("quiet-retries", true, 0);
    const answers = {
      "dry-run": "found",
      "dry-run@1": "found",
      "dry-run@9": "not-found",
      "quiet-retries": "already-installed",
      base: "already-installed",
      "tool-bash": "not-a-bundle",
      "unheard-of": "not-found",
      "@acme/plugin": "invalid-spec",
      "../dry-run": "invalid-spec",
      "https://example.test/x.tgz": "invalid-spec",
      __proto__x: "invalid-spec",
      constructor: "not-found",
      "": "invalid-spec",
    };
    for (const [spec, answer] of Object.entries(answers)) assert.equal((await inspect(spec)).answer, answer, spec);
  });
});

describe("installing and removing", () => {
  test("a repeat of a request, later or at the same time, is the same request", async () => {
    const { install, layer, audit } = await start();
    const id = randomUUID();
    const [first, second] = await Promise.all([install("dry-run@1", id), install("dry-run@1", id)]);
    assert.deepEqual([first.saved, first.stage, first.revision], [true, "activate", 1]);
    assert.deepEqual(second, first);
    assert.deepEqual(await install("dry-run@1", id), first);
    assert.deepEqual([(await layer()).revision, (await audit("plugin.install")).length], [1, 1]);
    await assert.rejects(install("quiet-retries", id), { code: "CONFLICT" });
    assert.equal((await install("dry-run", randomUUID(), 1)).saved, false);
  });

  test("what cannot be installed says why", async () => {
    const { install } = await start();
    assert.equal((await install("dry-run@2")).code, "BUNDLE_UNKNOWN");
    assert.equal((await install("unheard-of")).code, "BUNDLE_UNKNOWN");
    assert.equal((await install("https://example.test/x.tgz")).code, "BAD_REQUEST");
  });

  test("an activation that fails leaves the earlier revision and no trace, and the request can be made again", async () => {
    const { tenant, save, install, layer, audit } = await start();
    await save("- {id: llm-retry, config: {maxRetries: 2}}\n", 0);
    const before = await layer();
    const sql = (text: string) => world.asOwner(tenant.orgId, text);
    await sql("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$");
    await sql(
      `CREATE TRIGGER refuse BEFORE UPDATE ON composition_pointers FOR EACH ROW WHEN (NEW.org_id = '${tenant.orgId}') EXECUTE FUNCTION refuse()`,
    );
    const id = randomUUID();
    await assert.rejects(install("dry-run", id, 1), /the disk is full/);
    assert.deepEqual(await layer(), before);
    assert.deepEqual(await audit("plugin.install"), []);
    await sql("DROP TRIGGER refuse ON composition_pointers");
    assert.equal((await install("dry-run", id, 1)).revision, 2);
  });

  test("cancel stops an installation that has stored nothing; another one comes too late, or finds none", async () => {
    const { tenant, install, cancel, layer } = await start();
    const [id, done] = [randomUUID(), randomUUID()];
    assert.deepEqual(await cancel(id), { answer: "not-running" });
    const lock = await holdLock(tenant.orgId);
    const installing = install("dry-run", id);
    await waitForWaiters(world, 1);
    const cancelling = cancel(id);
    await waitForWaiters(world, 2);
    await lock.release();
    const stopped = await installing;
    assert.deepEqual([stopped.code, stopped.saved, stopped.revision], ["CANCELLED", false, 0]);
    assert.deepEqual(await cancelling, { answer: "cancelled" });
    assert.equal((await layer()).revision, 0);
    await install("dry-run", done);
    assert.deepEqual(await cancel(done), { answer: "too-late" });
    assert.equal((await layer()).revision, 1);
  });

  test("a cancelled request stays cancelled, for repeats that wait before the cancel, behind it, and for later ones", async () => {
    const { tenant, install, cancel, layer } = await start();
    const id = randomUUID();
    const lock = await holdLock(tenant.orgId);
    const repeats = [install("dry-run", id)];
    await waitForWaiters(world, 1);
    repeats.push(install("dry-run", id));
    await waitForWaiters(world, 2);
    const cancelling = cancel(id);
    await waitForWaiters(world, 3);
    repeats.push(install("dry-run", id), install("dry-run", id));
    await waitForWaiters(world, 5);
    await lock.release();
    assert.deepEqual(await cancelling, { answer: "cancelled" });
    const later = await Promise.all([...repeats, install("dry-run", id)]);
    for (const { code, saved } of later) assert.deepEqual([code, saved], ["CANCELLED", false]);
    assert.equal((await layer()).revision, 0);
    assert.equal((await install("dry-run", randomUUID())).saved, true, "a new request is another wish");
  });

  test("another organisation cannot cancel or learn of a request", async () => {
    const [ours, theirs] = [await start(), await start()];
    const id = randomUUID();
    await theirs.install("dry-run", id);
    assert.deepEqual(await ours.cancel(id), { answer: "not-running" });
    assert.equal((await ours.install("quiet-retries", id)).saved, true);
  });

  test("removing tells what remains: patches for rows that are gone, or the selection when it cannot be taken back", async () => {
    const { install, save, remove, store } = await start();
    await install("dry-run");
    await save("- {id: subprocess-dry-run, config: {}}\n", 1);
    const removed = await remove("dry-run", 2);
    assert.deepEqual([removed.stage, removed.saved, removed.applied, removed.remains], ["delete", true, "new-sessions", ["patches"]]);
    const again = await remove("dry-run", 3);
    assert.deepEqual([again.code, again.stage, again.remains], ["NOT_FOUND", "deselect", []]);
    await store("plan", 1, "[]", ["dry-run"]);
    const plans = await remove("dry-run", 3);
    assert.deepEqual([plans.code, plans.saved, plans.remains], ["ROW_LOCKED", false, ["selection"]]);
  });
});
