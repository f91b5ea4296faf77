import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { composeOrg, composePreset, type MountRow, platformPresets } from "@gantry/compose";
import { orgRoot } from "./support/root.ts";

const shipped = composeOrg({ providers: [], facts: {} });
const orders: { [name: string]: (rows: readonly MountRow[]) => MountRow[] } = {
  "as they are": (rows) => [...rows],
  "the other way round": (rows) => rows.toReversed(),
  "by the ends of their ids": (rows) =>
    rows.toSorted((a, b) => (a.id.at(-1) ?? "").localeCompare(b.id.at(-1) ?? "") || b.id.localeCompare(a.id)),
};

/** What a root and the agents of each shipped preset are made of, whatever came first. */
async function madeOf(t: TestContext, order: (rows: readonly MountRow[]) => MountRow[]) {
  const { root, session } = await orgRoot(t, { rows: order(shipped.mounts) });
  const agents = [];
  for (const { slug, revision, rows } of platformPresets) {
    const { mounts, hash } = composePreset({ slug, revision, rows, facts: {}, hostRows: shipped.rows });
    const agent = await root.createAgent(session(), { presetId: slug, slug, revision, hash, mounts: order(mounts) });
    agents.push([slug, revision, await agent.ctx.systemPrompt.assemble({ scope: agent })]);
  }
  const { services, listeners } = root.inspect();
  const listening = Object.entries(listeners).map(([event, plugins]) => `${event}: ${plugins.toSorted()}`);
  return { agents, services: services.map(({ name, provider }) => `${name} of ${provider}`).toSorted(), listening: listening.toSorted() };
}

test("R-1 the order of rows decides nothing: services, listeners, tools and prompts are the same, byte for byte", async (t) => {
  const [first, ...others] = await Promise.all(Object.values(orders).map((order) => madeOf(t, order)));
  assert.ok(first && first.agents.length === platformPresets.length && first.services.length > 10);
  for (const other of others) assert.deepEqual(other, first);
});
