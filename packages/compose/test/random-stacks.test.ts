import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ComposedRow,
  type Composition,
  canonicalJson,
  dumpJson,
  dumpText,
  evaluate,
  type Layer,
  type Row,
  readLayer,
} from "../src/index.ts";
import { composed, layer } from "./support/layers.ts";
import { randomStack } from "./support/random-layers.ts";
import { reference } from "./support/reference.ts";

const facts = { "plan.tier": "pro", "plan.seats": 5 };
const rotating = Math.floor(Date.now() / 86_400_000);
const seeds = [...Array.from({ length: 400 }, (_, index) => index), ...Array.from({ length: 100 }, (_, index) => rotating * 1000 + index)];

const flat = (rows: readonly ComposedRow[]): ComposedRow[] => rows.flatMap((row) => [row, ...flat(row.children ?? [])]);
const rowsOf = (composition: Composition) => composition.rows.map(({ row }) => row);

/** Ids that mount, worked out from the rows as a dump prints them. */
function live(rows: readonly Row[]): string[] {
  return rows.flatMap((row) => {
    if (evaluate(row.disabled ?? false, facts)) return [];
    return [row.id, ...(row.group ? live(row.config as readonly Row[]) : [])];
  });
}

type Mounted = { readonly id: string; readonly children?: readonly Mounted[] };
const idsOf = (mounts: readonly Mounted[]): string[] => mounts.flatMap(({ id, children = [] }) => [id, ...idsOf(children)]);

function forEachStack(check: (stack: Layer[], seed: number) => void): void {
  for (const seed of seeds) {
    try {
      check(randomStack(seed), seed);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
}

test("KN-074 for random stacks the rows are those of the rules written out, and ids stay unique", () => {
  let changed = 0;
  forEachStack((stack) => {
    const composition = composed(stack, facts);
    assert.equal(canonicalJson(rowsOf(composition)), canonicalJson(reference(stack)));
    const ids = flat(composition.rows).map(({ row }) => row.id);
    assert.equal(new Set(ids).size, ids.length);
    changed += composition.rows.filter(({ patchedBy }) => patchedBy.length > 0).length;
  });
  assert.ok(changed > 200, "the stacks exercise patches");
});

test("KN-074 for random stacks the dump reads back as the rows, and what it lists as on is what mounts", () => {
  forEachStack((stack, seed) => {
    const composition = composed(stack, facts);
    const read = readLayer("dump", "bundle", dumpText(composition, { resolved: seed % 2 === 0 })).patches as readonly Row[];
    assert.deepEqual(read, rowsOf(composition));
    assert.deepEqual(live(read), idsOf(composition.mounts));
    const outcomes = flat(composition.rows).flatMap(({ row, outcome }) => (outcome.state === "mounts" ? [row.id] : []));
    assert.deepEqual(outcomes, idsOf(composition.mounts));
    assert.equal(dumpJson(composition).hash, composition.hash);
    const anew = composed([layer("dump", [{ insert: read }], "bundle")], facts);
    assert.deepEqual(
      [anew.mounts, anew.hash],
      [composition.mounts, composition.hash],
      "what the dump prints mounts the same, config by config",
    );
  });
});

test("KN-074 a dump applied as a layer over its own composition changes nothing", () => {
  forEachStack((stack) => {
    const composition = composed(stack, facts);
    const again = composed([...stack, readLayer("again", "project", dumpText(composition))], facts);
    assert.equal(again.hash, composition.hash);
    assert.ok(flat(again.rows).every(({ patchedBy }) => !patchedBy.includes("again")));
  });
});

/** The same value with the keys of all its maps the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, reversed(member)] as const);
  return Object.fromEntries(members.reverse());
}

test("R-15 for random stacks the hash does not depend on the order of keys, and differs where what mounts does", () => {
  const byHash = new Map<string, string>();
  forEachStack((stack) => {
    const { hash, mounts, facts: asked } = composed(stack, facts);
    assert.equal(composed(reversed(stack) as Layer[], reversed(facts) as typeof facts).hash, hash);
    const content = canonicalJson([mounts, asked]);
    assert.equal(byHash.get(hash) ?? content, content);
    byHash.set(hash, content);
  });
  assert.ok(byHash.size > 300);
});

test("KN-072 for random stacks the same input gives the same bytes, and nothing given is changed", () => {
  forEachStack((stack) => {
    const before = canonicalJson(stack);
    assert.equal(JSON.stringify(composed(stack, facts)), JSON.stringify(composed(structuredClone(stack), facts)));
    assert.equal(canonicalJson(stack), before);
  });
});
