import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { toldSections } from "./support/story.ts";

test("docs/demos.md has a story for each demo and each demo its story", () => {
  const files = readdirSync(new URL(".", import.meta.url)).flatMap((name) => /^(\w)-\w+\.test\.ts$/.exec(name)?.[1] ?? []);
  const sections = toldSections();
  assert.deepEqual(
    sections.map(({ letter }) => letter),
    files.sort(),
  );
  assert.equal(files.length, 7);
  for (const { letter, output } of sections) assert.ok(output.split("\n").length > 5, `section ${letter} says next to nothing`);
});
