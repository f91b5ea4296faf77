import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPreset } from "../src/preset/create-preset.ts";
import { getPreset } from "../src/preset/get-preset.ts";
import { getPresetRevision } from "../src/preset/get-preset-revision.ts";
import { removePreset } from "../src/preset/remove-preset.ts";
import { rollBackPreset } from "../src/preset/roll-back-preset.ts";
import { savePreset } from "../src/preset/save-preset.ts";
import { goodSource, startPreset } from "./preset-support.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();

describe("the roster", () => {
  test("G-3 it is the organisation's presets and the platform's, by order, then slug, and nobody else's", async () => {
    const { ctx, org, list } = await startPreset(world);
    const other = await startPreset(world);
    await createPreset(other.ctx, { org: other.org, slug: "theirs", name: "Theirs" });
    await createPreset(ctx, { org, slug: "a-first", name: "Last letter counts not" });
    const items = await list();
    assert.deepEqual(Object.keys(items), ["standard", "a-first", "mine"]);
    assert.deepEqual([items.standard?.isPlatform, items.standard?.isDefault, items.standard?.state], [true, true, "ok"]);
    assert.deepEqual([items.mine?.isPlatform, items.mine?.isDefault, items.mine?.revision], [false, false, 1]);
  });

  test("G-1 G-3 the id of a platform preset is taken, and a platform preset is copied, not changed", async () => {
    const { ctx, org, get } = await startPreset(world);
    await assert.rejects(createPreset(ctx, { org, slug: "standard", name: "Mine too" }), { code: "SLUG_TAKEN", message: /installation/ });
    await assert.rejects(createPreset(ctx, { org, slug: "mine", name: "Again" }), { code: "SLUG_TAKEN" });
    const platform = { org, slug: "standard" };
    const change = { name: "x", description: "", order: 1, source: "[]\n", expectedRevision: 1 };
    const locked = { code: "PRESET_LOCKED", message: /Copy it first/ };
    await assert.rejects(savePreset(ctx, { ...platform, ...change }), locked);
    await assert.rejects(rollBackPreset(ctx, { ...platform, revision: 1, expectedRevision: 1 }), locked);
    await assert.rejects(removePreset(ctx, platform), locked);
    assert.equal((await get("standard")).name, "Standard");
  });

  test("G-1 a copy keeps rows and description, not name and order", async () => {
    const { ctx, org, save, get } = await startPreset(world);
    await save(`# why\n${goodSource()}`, 1, { description: "For shells.", order: 7 });
    await createPreset(ctx, { org, slug: "copy", name: "Copy", copyOf: "mine" });
    const copy = await get("copy");
    assert.deepEqual([copy.name, copy.description, copy.order, copy.revision], ["Copy", "For shells.", 100, 1]);
    assert.equal(copy.source, `# why\n${goodSource()}`);
    await createPreset(ctx, { org, slug: "of-platform", name: "Of the platform", copyOf: "standard" });
    assert.equal((await get("of-platform")).source, "[]\n");
    await assert.rejects(createPreset(ctx, { org, slug: "of-none", name: "None", copyOf: "nobody" }), { code: "PRESET_UNKNOWN" });
  });

  test("KN-092 an unknown id is told with the organisation's own ids and no other", async () => {
    const { ctx, org, start } = await startPreset(world);
    const other = await startPreset(world);
    await createPreset(other.ctx, { org: other.org, slug: "theirs", name: "Theirs" });
    for (const asked of [
      () => getPreset(ctx, { org, slug: "theirs" }),
      () => getPreset(ctx, { org, slug: "nobody" }),
      () => start("theirs"),
    ])
      await assert.rejects(asked(), {
        code: "PRESET_UNKNOWN",
        message: "There is no such preset. This organisation can use: mine, standard.",
      });
  });
});

describe("changing a preset", () => {
  test("G-2 each change is a new revision with author and reason; earlier ones stay readable", async () => {
    const { ctx, mine, save, get, actions } = await startPreset(world);
    assert.deepEqual(await save(goodSource(1_000), 1, { reason: "faster" }), { saved: "revision", revision: 2, problems: [] });
    const { revisions, revision, rows } = await get();
    assert.equal(revision, 2);
    assert.deepEqual(
      revisions.map((one) => [one.revision, one.authorName, one.reason, one.sessions]),
      [
        [2, "Ada", "faster", 0],
        [1, "Ada", "", 0],
      ],
    );
    assert.deepEqual(rows[0]?.outcome, { state: "mounts", config: { timeoutMs: 1_000 }, clamps: [] });
    assert.equal((await getPresetRevision(ctx, { ...mine, revision: 1 })).source, goodSource());
    await assert.rejects(getPresetRevision(ctx, { ...mine, revision: 3 }), { code: "NOT_FOUND" });
    assert.deepEqual(await actions(), ["preset.create", "preset.save"]);
  });

  test("G-2 saving what is there already makes no revision and leaves no trace", async () => {
    const { save, get, actions } = await startPreset(world);
    assert.deepEqual(await save(goodSource()), { saved: "revision", revision: 1, problems: [] });
    assert.deepEqual(await actions(), ["preset.create"]);
    assert.equal((await save(goodSource(), 1, { order: 3 })).revision, 2);
    assert.equal((await get()).order, 3);
  });

  test("of ten admins who save from the same revision one is in force and the others are told", async () => {
    const { save, get, actions } = await startPreset(world);
    const results = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => save(goodSource(1_000 + index))));
    const codes = results.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []));
    assert.deepEqual(codes, Array(9).fill("REVISION_STALE"));
    const winner = results.findIndex((result) => result.status === "fulfilled");
    const { source, revisions } = await get();
    assert.equal(source, goodSource(1_000 + winner));
    assert.equal(revisions.length, 2);
    assert.deepEqual(await actions(), ["preset.create", "preset.save"]);
  });

  test("G-2 rolling back moves the pointer only; the next revision comes after all there were", async () => {
    const { ctx, mine, save, get, actions, sql } = await startPreset(world);
    await save(goodSource(2_000));
    await assert.rejects(rollBackPreset(ctx, { ...mine, revision: 1, expectedRevision: 1 }), { code: "REVISION_STALE" });
    await assert.rejects(rollBackPreset(ctx, { ...mine, revision: 9, expectedRevision: 2 }), { code: "NOT_FOUND" });
    const before = await sql("SELECT * FROM preset_revisions WHERE slug = 'mine' ORDER BY revision");
    assert.deepEqual(await rollBackPreset(ctx, { ...mine, revision: 1, expectedRevision: 2, reason: "too fast" }), { revision: 1 });
    assert.deepEqual(await sql("SELECT * FROM preset_revisions WHERE slug = 'mine' ORDER BY revision"), before);
    assert.equal((await get()).source, goodSource());
    assert.equal((await save(goodSource(3_000))).revision, 3);
    assert.deepEqual(await actions(), ["preset.create", "preset.save", "preset.rollBack", "preset.save"]);
  });

  test("G-7 a revision that a worker could not mount is broken until it is saved again, or another one is", async () => {
    const { save, list, start, ctx, mine, sql } = await startPreset(world);
    await save(goodSource(2_000));
    await sql("UPDATE presets SET broken_revision = 2, broken_reason = '$.shell: it leaks.' WHERE slug = 'mine'");
    assert.deepEqual([(await list()).mine?.state, (await list()).mine?.reasons], ["broken", ["$.shell: it leaks."]]);
    await assert.rejects(start("mine"), { code: "PRESET_BROKEN", message: /it leaks/ });
    await rollBackPreset(ctx, { ...mine, revision: 1, expectedRevision: 2 });
    assert.equal((await list()).mine?.state, "ok");
    await assert.rejects(rollBackPreset(ctx, { ...mine, revision: 2, expectedRevision: 1 }), { code: "PRESET_BROKEN" });
    await sql("UPDATE presets SET current_revision = 2 WHERE slug = 'mine'");
    assert.equal((await save(goodSource(2_000), 2)).revision, 2);
    assert.equal((await start("mine")).pinned, "mine@2");
  });
});
