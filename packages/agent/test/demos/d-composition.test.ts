import assert from "node:assert/strict";
import { test } from "node:test";
import { composeOrg, describeWarning, diffCompositions, diffText, dumpText, gateText, readLayer } from "@gantry/compose";
import { exampleOf, startStory } from "./support/story.ts";

test("(d) the rows that mount are the dump's, with the layer that wrote each; an id keeps its plugin", () => {
  const story = startStory("d");
  const layer = readLayer("org of the bakery", "org", exampleOf("d"));
  const before = composeOrg({ providers: [], facts: {} });
  const after = composeOrg({ providers: [], layers: [layer], facts: {} });
  assert.deepEqual([before.warnings, after.problems], [[], []]);

  story.chapter("1. the layer is read over the bundles");
  story.line("rows", `${after.rows.length - before.rows.length} more than before`);
  assert.equal(after.rows.length, before.rows.length + 1);
  for (const warning of after.warnings) story.line("warning", describeWarning(warning));
  assert.deepEqual(
    after.warnings.map(({ code }) => code),
    ["PATCH_NAME_MISMATCH"],
  );

  story.chapter("2. what it changed");
  for (const line of diffText(diffCompositions(before, after)).trimEnd().split("\n")) story.line("diff", line);

  story.chapter("3. the dump: who wrote these rows");
  const dump = dumpText(after);
  for (const id of ["agent-loop", "system-prompt", "subprocess-sandbox", "subprocess-told"]) story.line(id, provenanceOf(dump, id));
  const again = gateText(dump);
  assert.ok(again.ok);
  assert.deepEqual(
    again.value,
    after.rows.map(({ row }) => row),
    "the dump is the composition, row by row",
  );
  assert.equal(after.rows.at(-1)?.row.id, "subprocess-told", "what is inserted comes last");
  const loop = (composition: typeof after) => composition.rows.find(({ row }) => row.id === "agent-loop");
  assert.deepEqual(loop(after), loop(before), "the skipped patch left nothing behind, its other fields included");

  story.chapter("4. what mounts");
  const mounted = new Set(after.mounts.map(({ id }) => id));
  for (const id of ["agent-loop", "subprocess-sandbox", "subprocess-told"]) story.line(id, mounted.has(id) ? "mounts" : "does not mount");
  story.end();
});

/** The comment that stands over the run of rows which holds this one. */
function provenanceOf(dump: string, id: string): string {
  const lines = dump.split("\n");
  const at = lines.indexOf(`- id: ${id}`);
  assert.ok(at > 0, id);
  return lines.slice(0, at).findLast((line) => line.startsWith("# == ")) ?? "";
}
