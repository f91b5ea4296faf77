import assert from "node:assert/strict";
import { test } from "node:test";
import { type Composition, composeOrg, composePreset, type MountRow, readLayer } from "@gantry/compose";
import { OrgRoot } from "../src/root/org-root.ts";
import { type Choices, choicesOf, randomRows } from "./support/random-rows.ts";
import { hostOf, orgRoot } from "./support/root.ts";

const rotating = Math.floor(Date.now() / 86_400_000) * 1000;
const seeds = (fixed: number, more: number) => [...Array(fixed).keys(), ...Array.from(Array(more).keys(), (index) => rotating + index)];
const facts = { "plan.tier": "free" };
const shipped = composeOrg({ providers: [], facts });

/** Ids from the outermost group to each row that is a plugin, as a root names them. */
const paths = (rows: readonly MountRow[], above = ""): string[] =>
  rows.flatMap(({ id, children }) => (children ? paths(children, `${above}${id}/`) : [`${above}${id}`]));
const mountedIn = (root: OrgRoot) => root.inspect().plugins.flatMap(({ row, state }) => (row === undefined ? [] : [`${row} ${state}`]));
const active = (rows: readonly MountRow[]) => paths(rows).map((path) => `${path} active`);

async function eachSeed(list: readonly number[], check: (choices: Choices, seed: number) => Promise<void>): Promise<void> {
  for (const seed of list) {
    await check(choicesOf(seed), seed).catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
  }
}

/** What an org might write over the shipped rows: switches, realms, and rows of its own. */
function randomComposition(choices: Choices): Composition {
  const { chance, below, pick } = choices;
  const ids = shipped.rows.map(({ row }) => row.id);
  const changes = Array.from({ length: below(3) }, () => ({
    id: pick(ids),
    ...(chance(0.6) ? { disabled: true } : {}),
    ...(chance(0.3) ? { isolate: { [pick(["fs", "spill", "tokenMeter"])]: true } } : {}),
  }));
  const patches = [...changes, { insert: randomRows(choices, "host", below(3)) }];
  return composeOrg({ providers: [], facts, layers: [readLayer("org@1", "org", { data: patches })] });
}

test("KN-074 for random layers of an org, what composes without a problem mounts, row for row", { timeout: 300_000 }, async () => {
  let mounted = 0;
  await eachSeed(seeds(90, 20), async (choices) => {
    const { mounts: rows, problems } = randomComposition(choices);
    if (problems.length > 0) return;
    const { host, plugins } = hostOf({ rows });
    const root = await OrgRoot.build(host, plugins);
    assert.deepEqual(mountedIn(root).toSorted(), active(rows).toSorted());
    await root.close();
    assert.equal(root.taint, null);
    mounted += 1;
  });
  assert.ok(mounted > 30, `${mounted} mounted`);
});

/** Refused although it may mount: a row that leaks and is off today, a plugin whose second row would only do its work twice. */
const isStricter = ({ code }: { code: string }) => code === "PRESET_LEAK" || code === "PLUGIN_TWICE";

test("KN-074 KN-088 for random presets, the checks of a save and the mount agree; what fails leaves nothing", {
  timeout: 300_000,
}, async (t) => {
  const { root } = await orgRoot(t);
  const standing = () => [mountedIn(root), root.inspect().services, root.inspect().listeners] as const;
  const before = standing();
  const agreed = { mounted: 0, refused: 0 };
  await eachSeed(seeds(300, 50), async (choices, seed) => {
    const rows = randomRows(choices, "preset", 1 + choices.below(4));
    const { problems, mounts, hash } = composePreset({ slug: "p", revision: 1, rows, facts, hostRows: shipped.rows });
    const use = () => assert.deepEqual(mountedIn(root).slice(before[0].length).toSorted(), active(mounts).toSorted());
    const lending = root.lendPreset({ presetId: `p${seed}`, slug: "p", revision: 1, hash, mounts }, use);
    if (problems.length === 0) await lending;
    else if (!problems.every(isStricter)) await assert.rejects(lending, { code: "PRESET_BROKEN" }, JSON.stringify(problems));
    else await lending.catch((error: { code?: string }) => assert.equal(error.code, "PRESET_BROKEN"));
    agreed[problems.length === 0 ? "mounted" : "refused"] += 1;
    await root.evictIdle(0);
    assert.deepEqual(standing(), before);
  });
  assert.ok(agreed.mounted > 50 && agreed.refused > 50, JSON.stringify(agreed));
});
