import assert from "node:assert/strict";
import { test } from "node:test";
import { randomOf } from "@gantry/testing/random";
import { stringify } from "yaml";
import { type ComposedRow, evaluate, type Layer, readLayer, setRowEnabled, type ToggleResult } from "../src/index.ts";
import { composed } from "./support/layers.ts";
import { randomStack } from "./support/random-layers.ts";

const facts = { "plan.tier": "pro", "plan.seats": 5 };
const rotating = Math.floor(Date.now() / 86_400_000);
const seeds = [...Array.from({ length: 300 }, (_, index) => index), ...Array.from({ length: 100 }, (_, index) => rotating * 1000 + index)];

const flat = (rows: readonly ComposedRow[]): ComposedRow[] => rows.flatMap((row) => [row, ...flat(row.children ?? [])]);
/** What each row says of itself. */
const switches = (layers: readonly Layer[]) =>
  new Map(flat(composed(layers, facts).rows).map(({ row }) => [row.id, evaluate(row.disabled ?? false, facts)]));

test("KN-100 for random layers a toggle switches its row and no other, and toggling back restores what was", () => {
  let toggled = 0;
  for (const seed of seeds) {
    const [bundle, plan, org] = randomStack(seed) as [Layer, Layer, Layer];
    const random = randomOf(seed);
    let source = stringify(org.patches, { aliasDuplicateObjects: false });
    const of = (text: string) => [bundle, plan, readLayer("org", "org", text)];
    const context = (text: string) => ({ current: composed(of(text), facts), below: composed([bundle, plan], facts) });
    const start = switches(of(source));
    const rows = flat(context(source).current.rows);
    const picked = rows[Math.floor(random() * rows.length)]?.row;
    if (!picked) continue;
    for (const back of [false, true]) {
      const enabled: boolean = back !== start.get(picked.id);
      const result: ToggleResult = setRowEnabled(source, { row: picked.id, name: picked.name, enabled }, context(source));
      assert.ok("source" in result, `seed ${seed}: ${JSON.stringify(result)}`);
      source = result.source;
      const expected = new Map(start).set(picked.id, !enabled);
      assert.deepEqual(switches(of(source)), expected, `seed ${seed}, ${picked.id} ${enabled}\n${source}`);
    }
    toggled += 1;
  }
  assert.ok(toggled > 300, "the stacks have rows");
});
