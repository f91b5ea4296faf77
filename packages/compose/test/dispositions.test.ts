import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogData, dispositions, platformPresets, type Row } from "../src/index.ts";
import { originalPresets, originalRows } from "./support/original.ts";

test("every one of the 190 rows of the original's web profile has one disposition, and no other row has", () => {
  const ids = originalRows.map(({ id }) => id);
  assert.equal(ids.length, 190);
  assert.deepEqual(dispositions.map(({ id }) => id).sort(), [...ids].sort());
  assert.ok(dispositions.every(({ where }) => where !== ""));
});

test("a disposition names plugins of the catalogue; one that says ours has no plugin without code", () => {
  for (const { id, state, plugins = [] } of dispositions) {
    const entries = plugins.map((name) => [name, catalogData.find(name)] as const);
    for (const [name, entry] of entries) assert.ok(entry, `${id}: ${name}`);
    if (state === "ours") assert.ok(!entries.some(([, entry]) => entry?.planned), id);
    if (state === "planned" && plugins.length > 0)
      assert.ok(
        entries.some(([, entry]) => entry?.planned),
        id,
      );
  }
  const counts = Object.groupBy(dispositions, ({ state }) => state);
  assert.ok((counts.ours?.length ?? 0) > 40 && (counts.planned?.length ?? 0) > 0);
});

test("every planned plugin is there for a row of the original, of its presets, or for a tool of ours", () => {
  const named = new Set(dispositions.flatMap(({ plugins = [] }) => plugins));
  for (const { rows } of platformPresets) for (const { name } of flat(rows)) named.add(name);
  const others = catalogData.entries.filter(({ planned, name }) => planned && !named.has(name)).map(({ name }) => name);
  assert.deepEqual(others.sort(), ["tool-mcp", "tool-terminal"]);
});

/** Rows of ours that the original has in its base bundle, or in place of a plugin without code. */
const besides: Record<string, string[]> = {
  standard: ["fs-observation-policy", "tool-timeout-policy"],
  ptc: ["fs-observation-policy", "tool-timeout-policy"],
  cordis: ["fs-observation-policy", "tool-timeout-policy"],
  minimal: ["tool-bash"],
};

test("the shipped presets have the rows, groups and isolates of the original's", () => {
  assert.deepEqual(Object.keys(besides).sort(), Object.keys(originalPresets).sort());
  for (const [slug, original] of Object.entries(originalPresets)) {
    const current = platformPresets.findLast((preset) => preset.slug === slug);
    assert.ok(current, slug);
    const ours = outline(current.rows).filter((line) => !besides[slug]?.includes(line));
    assert.deepEqual(ours.sort(), outline(original).sort(), slug);
    assert.deepEqual(
      flat(current.rows)
        .filter(({ disabled }) => disabled === true)
        .map(({ id }) => id)
        .sort(),
      flat(original)
        .filter(({ disabled }) => disabled === true)
        .map(({ id }) => id)
        .concat(slug === "cordis" ? ["tool-plugin-manager", "tool-plugin-market"] : [])
        .sort(),
      slug,
    );
  }
});

test("personas and texts of the original are not in our presets", () => {
  const ours = JSON.stringify(platformPresets);
  const texts = Object.values(originalPresets).flatMap(
    (rows) => JSON.stringify(rows).match(/"(?:prefix|section|description)":"[^"]{20}/g) ?? [],
  );
  assert.ok(texts.length > 3);
  for (const text of texts) assert.ok(!ours.includes(text.split(':"')[1] as string), text);
});

const flat = (rows: readonly Row[]): Row[] => rows.flatMap((row) => [row, ...(Array.isArray(row.config) ? flat(row.config as Row[]) : [])]);

/** One line a row: where it stands and what it isolates. */
function outline(rows: readonly Row[], within = ""): string[] {
  return rows.flatMap((row) => {
    const isolate = row.isolate ? ` ${JSON.stringify(row.isolate)}` : "";
    const line = `${within}${row.id}${isolate}`;
    return [line, ...(Array.isArray(row.config) ? outline(row.config as Row[], `${within}${row.id}/`) : [])];
  });
}
