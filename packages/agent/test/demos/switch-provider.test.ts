import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { composeOrg, composePreset, diffCompositions, platformPresets } from "@gantry/compose";
import type { OrgId } from "@gantry/contracts";
import type { PresetRef } from "../../src/presets/preset-ref.ts";
import { openOrg } from "./support/org.ts";
import { callTool, toolNames } from "./support/world.ts";

/** What an org stores to have no command run: one row off, another in. */
const twoRows = `
- id: subprocess-sandbox
  disabled: true
- insert:
    - { id: subprocess-told, name: subprocess-dry-run, config: { exitCode: 3 } }
`;

test("S-6 another provider of a seam is a patch of two rows: what the model is told stays the same byte for byte, and the other one answers", async (t) => {
  const words = { orgId: randomUUID() as OrgId, persona: "You write code.", tools: [] };
  const orgs = [await openOrg(words), await openOrg({ ...words, layer: twoRows })] as const;
  t.after(() => Promise.all(orgs.map(({ root }) => root.close())));
  const [before, after] = orgs.map(({ dump }) => composeOrg(dump));
  assert.ok(before && after);
  assert.deepEqual([after.problems, after.warnings], [[], []]);
  assert.deepEqual(
    diffCompositions(before, after).map(({ kind, id }) => `${kind} ${id}`),
    ["changed subprocess-sandbox", "added subprocess-told"],
  );

  const told: string[] = [];
  const answers: string[] = [];
  for (const { ctx, agent } of orgs) {
    const live = await agent("session", standard());
    const { system, contexts, tools } = await ctx.systemPrompt.assemble({ scope: live });
    told.push(JSON.stringify({ tools, schemas: ctx.tools.schemas(live), system, contexts }));
    assert.ok(toolNames(ctx, live).includes("bash"));
    answers.push(await callTool(ctx, "bash", live, { command: "make test", description: "Run the tests" }));
  }
  assert.equal(told[1], told[0]);
  assert.equal(answers[0], "Error: A demo has no container engine.", "the sandbox asked for its world");
  assert.match(answers[1] ?? "", /^dry run: would run bash -c make test\n+\[exit code: 3\]/);
});

/** The newest revision of the preset that every org starts with. */
function standard(): PresetRef {
  const preset = platformPresets.findLast(({ slug }) => slug === "standard");
  assert.ok(preset);
  const { slug, revision, rows } = preset;
  const { hash, mounts, problems } = composePreset({ slug, revision, rows, facts: {} });
  assert.deepEqual(problems, []);
  return { presetId: "standard", slug, revision, hash, mounts };
}
