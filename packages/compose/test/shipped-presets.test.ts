import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import {
  catalogData,
  composePreset,
  type MountRow,
  orgFacts,
  platformPresets,
  presetText,
  readPresetSource,
  rowStates,
} from "../src/index.ts";

const facts = orgFacts({ tier: "team", seats: 25, flags: {} }, { os: "linux", privateHosts: false });
const composed = ({ slug, revision, rows }: (typeof platformPresets)[number]) => composePreset({ slug, revision, rows, facts });
const names = (mounts: readonly MountRow[]): string[] => mounts.flatMap(({ name, children }) => (children ? names(children) : [name]));

test("every shipped revision may be stored and mounted: no problem, no warning, on Linux and on Windows workers", () => {
  for (const preset of platformPresets) {
    for (const os of ["linux", "win32"]) {
      const { problems, warnings, mounts } = composePreset({ ...preset, facts: { ...facts, "platform.os": os } });
      assert.deepEqual([problems, warnings], [[], []], `${preset.slug}@${preset.revision}`);
      assert.ok(mounts.length > 0);
    }
  }
});

test("shipped revisions keep their bytes: sessions are pinned to them", () => {
  const digest = (rows: unknown) => createHash("sha256").update(JSON.stringify(rows)).digest("hex").slice(0, 16);
  assert.deepEqual(
    platformPresets.map(({ slug, revision, rows }) => `${slug}@${revision} ${digest(rows)}`),
    [
      "standard@1 65362375fea0c0bd",
      "standard@2 660ff4ec1a0f0bba",
      "ptc@1 b63d04a211f6ef96",
      "minimal@1 bd43b55c57e282bd",
      "cordis@1 774cccdfa2856c38",
    ],
  );
});

test("revisions of one preset count up from 1, and order and name are one per preset", () => {
  const bySlug = Object.values(Object.groupBy(platformPresets, ({ slug }) => slug));
  for (const revisions of bySlug)
    assert.deepEqual(
      revisions?.map(({ revision }) => revision),
      [...(revisions ?? [])].map((_, index) => index + 1),
    );
  assert.deepEqual([...new Set(platformPresets.map(({ position }) => position))], [1, 2, 3, 4]);
});

test("standard's revision 2 lists what is planned and mounts all that revision 1 mounts, with the same config", () => {
  const [first, second] = platformPresets.filter(({ slug }) => slug === "standard").map(composed);
  assert.ok(first && second);
  for (const row of first.mounts) {
    assert.deepEqual(
      second.mounts.find(({ id }) => id === row.id),
      row,
    );
  }
  assert.ok(second.rows.length > first.rows.length + 10);
});

test("minimal is usable today: a shell, its own persona as the whole prompt, and no other tool that would do anything", () => {
  const minimal = platformPresets.find(({ slug }) => slug === "minimal");
  assert.ok(minimal);
  const { mounts } = composed(minimal);
  assert.deepEqual(names(mounts).sort(), ["command-compact", "compaction-basic", "persona", "tool-bash", "tool-fs"]);
  const config = (id: string) => mounts.find((row) => row.id === id)?.config;
  assert.deepEqual(config("tool-fs"), { read: false, write: false, edit: false });
  assert.deepEqual([config("persona")?.complete, config("persona")?.includeRuntimeContext], [true, false]);
});

test("nobody is promised what has no code: ptc and minimal say what they do until then", () => {
  for (const { slug, description, rows } of platformPresets) {
    const planned = [...rowStates(composePreset({ slug, revision: 1, rows, facts })).values()].some(({ state }) => state === "planned");
    if (slug === "ptc" || slug === "minimal") assert.ok(planned && /until/i.test(description), slug);
  }
  assert.equal(catalogData.find("tool-presentation")?.planned, true, "when code mode has code, its description changes");
});

test("the text of a preset reads back as its rows", () => {
  for (const { rows } of platformPresets) {
    const read = readPresetSource(presetText(rows));
    assert.deepEqual(read.ok && read.rows, rows);
  }
  assert.deepEqual(readPresetSource(presetText([])), { ok: true, rows: [] });
});
