import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readSessionStart, withOrg } from "@gantry/db";
import { checkLayer } from "../src/composition/check-layer.ts";
import { diffLayers } from "../src/composition/diff-layers.ts";
import { getLayer } from "../src/composition/get-layer.ts";
import { removeProvider } from "../src/provider/remove-provider.ts";
import { holdLock, startComposition, waitForWaiters } from "./composition-support.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();
const start = () => startComposition(world);
const retries = (count: number) => `# ours\n- id: llm-retry\n  config:\n    maxRetries: ${count}\n`;
const row = (view: Awaited<ReturnType<Awaited<ReturnType<typeof start>>["get"]>>, id: string) =>
  view.dump.rows.find((one) => one.row.id === id);

describe("revisions", () => {
  test("R-14 a roll back moves the pointer, to the state before the first as well; a number names one content for ever", async () => {
    const { ctx, input, tenant, get, save, rollBack } = await start();
    const before = await get();
    assert.equal(before.revision, 0);
    assert.deepEqual(await save(retries(2), 0, "fewer"), { revision: 1, problems: [], affectedPresets: [] });
    assert.deepEqual(await save(retries(3), 1), { revision: 2, problems: [], affectedPresets: [] });
    assert.deepEqual(await save(retries(3), 2), { revision: 2, problems: [], affectedPresets: [] }, "the same text makes no revision");
    assert.deepEqual(await rollBack(1, 2), { revision: 1, problems: [], affectedPresets: [] });
    assert.deepEqual(row(await get(), "llm-retry")?.row.config, { maxRetries: 2 });
    assert.deepEqual(await save(retries(4), 1), { revision: 3, problems: [], affectedPresets: [] });
    const layer = await getLayer(ctx, input);
    assert.deepEqual(
      layer.revisions.map(({ revision, authorName, reason }) => [revision, authorName, reason]),
      [
        [3, "Ada", ""],
        [2, "Ada", ""],
        [1, "Ada", "fewer"],
      ], // prettier-ignore
    );
    assert.deepEqual([layer.source, layer.revision], [retries(4), 3]);
    assert.deepEqual(await rollBack(0, 3), { revision: 0, problems: [], affectedPresets: [] });
    assert.equal((await get()).dump.hash, before.dump.hash);
    const rewrite = withOrg(tenant.orgId, (tx) => tx.$executeRaw`UPDATE composition_revisions SET source = '[]'`);
    await assert.rejects(rewrite, /permission denied/);
  });

  test("of two admins who start from one revision one is kept and the other is told", async () => {
    const { tenant, save, get } = await start();
    const lock = await holdLock(tenant.orgId);
    const both = Promise.allSettled([save(retries(2), 0), save(retries(3), 0)]);
    await waitForWaiters(world, 2);
    await lock.release();
    const results = await both;
    assert.deepEqual(results.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    const refused = results.find((result) => result.status === "rejected");
    assert.equal(refused?.reason.code, "REVISION_STALE");
    assert.equal((await get()).revision, 1);
    await assert.rejects(save(retries(5), 0), { code: "REVISION_STALE" });
  });

  test("N-10 a change waits a bounded time for another one, and is audited with actor, difference and reason", async () => {
    const { tenant, save, audit } = await start();
    const lock = await holdLock(tenant.orgId);
    await assert.rejects(save(retries(2), 0), { code: "COMPOSITION_BUSY" });
    await lock.release();
    await save(retries(2), 0, "the provider is slow");
    const [entry, ...more] = await audit();
    assert.deepEqual(more, [], "what was refused left nothing");
    assert.deepEqual([entry?.action, entry?.subject, entry?.actor_id], ["composition.save", "web", tenant.userId]);
    const { diff, ...details } = entry?.details ?? {};
    assert.deepEqual(details, { profile: "web", from: 0, to: 1, reason: "the provider is slow" });
    assert.deepEqual(diff, {
      bundles: { from: [], to: [] },
      rows: [{ kind: "changed", id: "llm-retry", field: "config", from: null, to: '{"maxRetries":2}' }],
      omitted: 0,
    });
  });

  test("SC-T1 revisions of another organisation do not exist", async () => {
    const [ours, theirs] = [await start(), await start()];
    await theirs.save(retries(2), 0);
    await assert.rejects(ours.rollBack(1, 0), { code: "NOT_FOUND" });
    await assert.rejects(ours.get({ revision: 1 }), { code: "NOT_FOUND" });
    await assert.rejects(diffLayers(ours.ctx, { ...ours.input, from: 0, to: 1 }), { code: "NOT_FOUND" });
    await assert.rejects(getLayer(ours.ctx, { ...ours.input, profile: "unheard-of" }), { code: "NOT_FOUND" });
    assert.equal((await ours.get()).revision, 0);
  });
});

describe("what is not saved", () => {
  const refusals: [string, string, number][] = [
    ["R-16 a locked row", "- id: sandbox-policy\n  disabled: true\n", 1],
    ["R-2 a taken id", "- insert:\n    - id: tools\n      name: llm-demo\n", 1],
    ["R-18 a row of the other plane", "# shell\n- insert:\n    - id: shell\n      name: tool-bash\n", 3],
    ["R-18 a config that the plugin refuses", "- id: llm-retry\n  config:\n    baseDelayMs: 500\n    maxRetries: lots\n", 4],
    ["R-3 a plugin that is not in the catalogue", "- insert:\n    - {id: own, name: ./own.js}\n", 2],
    ["E-1 code", "- id: llm-retry\n  config: !!js 1\n", 2],
    ["R-8 a map instead of a list", "id: llm-retry\n", 1],
  ];
  for (const [name, source, line] of refusals)
    test(`${name} is refused with its line, and what is in force stays`, async () => {
      const { ctx, input, get, save, audit } = await start();
      await save(retries(2), 0);
      const before = (await get()).dump.hash;
      const { revision, problems } = await save(source, 1);
      assert.deepEqual([revision, problems.length, problems[0]?.line], [1, 1, line], JSON.stringify(problems));
      assert.deepEqual((await checkLayer(ctx, { ...input, source })).problems, problems, "the dry run says the same");
      assert.equal((await get()).dump.hash, before);
      assert.equal((await audit("composition.save")).length, 1);
    });

  test("KN-069 KN-070 patches for other plugins or unknown rows are left out with a warning that names the layer", async () => {
    const { get, save } = await start();
    const source = "- {id: llm-retry, name: tools, disabled: true, config: {maxRetries: 1}}\n- {id: nowhere, disabled: true}\n";
    assert.deepEqual(await save(source, 0), { revision: 1, problems: [], affectedPresets: [] });
    const view = await get();
    assert.equal(row(view, "llm-retry")?.row.disabled, undefined);
    assert.deepEqual(
      view.warnings.map((text) => text.split(":").slice(0, 2).join(":")),
      ["org@1: patch 1", "org@1: patch 2"],
    );
  });

  test("R-9 the dry run tells what it would leave out, at its line, and nothing of other layers", async () => {
    const { ctx, input, store } = await start();
    await store("plan", 1, "- {id: not-ours, disabled: true}\n");
    const source = "# ours\n- {id: llm-retry, disabled: true}\n- id: nowhere\n  disabled: true\n- {id: llm-retry, name: tools}\n";
    const { problems, warnings } = await checkLayer(ctx, { ...input, source });
    assert.deepEqual(
      [problems, warnings.map(({ path, line }) => [path, line])],
      [
        [],
        [
          ["$[1]", 3],
          ["$[2]", 5],
        ],
      ],
    );
    assert.match(warnings[0]?.message ?? "", /no row has the id "nowhere"/);
  });
});

describe("a stored layer that cannot be mounted any more", () => {
  for (const [what, source, line] of [
    ["its plugin left the catalogue", "# old\n- insert:\n    - id: old\n      name: gone-plugin\n", 4],
    ["it cannot be read", "- id: llm-retry\n  config: !!js 1\n", 2],
  ] as const)
    test(`KN-076 ${what}: the dump up to the bundles works, roll back and save repair it`, async () => {
      const { get, save, rollBack, store } = await start();
      await save(retries(2), 0);
      await store("org", 2, source);
      const broken = await get();
      assert.deepEqual([broken.revision, broken.problems.map((problem) => problem.line)], [2, [line]]);
      const bundles = await get({ upTo: "bundle" });
      assert.deepEqual([bundles.problems, bundles.dump.rows.some(({ origin }) => origin.startsWith("org"))], [[], false]);
      assert.deepEqual(await rollBack(1, 2), { revision: 1, problems: [], affectedPresets: [] });
      const again = await rollBack(2, 1);
      assert.deepEqual([again.revision, again.problems.length], [1, 1], "what cannot be mounted is not put in force");
      await store("org", 3, source);
      assert.deepEqual(await save(retries(4), 3), { revision: 4, problems: [], affectedPresets: [] });
      assert.deepEqual((await get()).problems, []);
      await store("org", 5, source);
      assert.deepEqual(await rollBack(0, 5), { revision: 0, problems: [], affectedPresets: [] });
    });

  test("KN-076 a broken plan layer is no reason to refuse the organisation's text", async () => {
    const { get, save, store } = await start();
    await store("plan", 1, "- insert: [{id: old, name: gone-plugin}]\n");
    assert.deepEqual(await save(retries(2), 0), { revision: 1, problems: [], affectedPresets: [] });
    assert.deepEqual(
      (await get()).problems.map(({ code, line }) => [code, line]),
      [["PLUGIN_UNKNOWN", undefined]],
    );
  });
});

describe("the dump", () => {
  test("D-1 D-3 text and JSON say the same, and the text is a layer that changes nothing", async () => {
    const { ctx, input, get, save } = await start();
    await removeProvider(ctx, { org: input.org, slug: "demo" }); // its row is the platform's to write
    await save(retries(99), 0);
    const { text, dump } = await get();
    assert.match(text, /# == base@\d+, patched by org@1\n# llm-retry: maxRetries clamped from 99 to 20/);
    assert.deepEqual(row({ dump } as never, "llm-retry")?.clamps, [{ field: "maxRetries", from: 99, to: 20 }]);
    assert.deepEqual(
      [...text.matchAll(/^- id: (.*)$/gm)].map((match) => match[1]),
      dump.rows.map((one) => one.row.id),
    );
    assert.deepEqual(await checkLayer(ctx, { ...input, source: text }), { problems: [], warnings: [], diff: [], affectedPresets: [] });
  });

  test("D-6 D-7 other revisions can be shown and compared, and every read names its reader", async () => {
    const { ctx, input, tenant, get, save, audit } = await start();
    await save(retries(2), 0);
    await save(retries(3), 1);
    assert.deepEqual(row(await get({ revision: 1 }), "llm-retry")?.row.config, { maxRetries: 2 });
    await getLayer(ctx, input);
    await checkLayer(ctx, { ...input, source: "[]" });
    const diff = await diffLayers(ctx, { ...input, from: 1, to: 2 });
    const change = { kind: "changed", id: "llm-retry", field: "config", from: { maxRetries: 2 }, to: { maxRetries: 3 }, by: "org@2" };
    assert.deepEqual(diff, [change]);
    const reads = (await audit()).filter(({ action }) => action !== "composition.save");
    assert.deepEqual(
      reads.map(({ action, actor_id }) => [action, actor_id]),
      ["get", "layer", "check", "diff"].map((verb) => [`composition.${verb}`, tenant.userId]),
    );
  });

  test("R-12 E-6 the plan's layer and facts are part of it, below the organisation's layer", async () => {
    const { ctx, input, tenant, get, save, store } = await start();
    await store(
      "plan",
      1,
      "- id: llm-retry\n  config: {maxRetries: 1}\n- id: sandbox-prewarm\n  disabled: {$eq: [{$fact: plan.tier}, free]}\n",
      ["quiet-retries"],
    );
    const team = await get();
    assert.deepEqual(row(team, "llm-retry")?.patchedBy, ["quiet-retries@1", "plan@1"]);
    assert.equal(row(team, "sandbox-prewarm")?.outcome?.state, "mounts");
    await world.asOwner(tenant.orgId, "UPDATE orgs SET plan_tier = 'free'");
    const free = await get();
    assert.equal(row(free, "sandbox-prewarm")?.outcome?.state, "disabled");
    assert.notEqual(free.dump.hash, team.dump.hash);
    await save(retries(7), 0);
    assert.deepEqual(row(await get(), "llm-retry")?.row.config, { maxRetries: 7 });
    assert.deepEqual((await getLayer(ctx, input)).bundles, [], "the plan's bundles are not the organisation's");
  });

  test("D-1 D-6 bundles of the plan come before the organisation's, here and where a session starts; up to the plan its own only", async () => {
    const { tenant, get, store } = await start();
    await store("org", 1, "[]", ["quiet-retries", "dry-run"]);
    await store("plan", 1, "[]", ["patient-retries"]);
    const patchers = async (upTo?: "bundle" | "plan") => row(await get(upTo ? { upTo } : {}), "llm-retry")?.patchedBy;
    assert.deepEqual(await patchers(), ["patient-retries@1", "quiet-retries@1"]);
    assert.deepEqual(await patchers("plan"), ["patient-retries@1"]);
    assert.deepEqual(await patchers("bundle"), []);
    const { layers } = await readSessionStart(tenant.orgId, tenant.sessionId);
    assert.deepEqual(
      layers.map(({ kind }) => kind),
      ["plan", "org"],
    );
  });
});
