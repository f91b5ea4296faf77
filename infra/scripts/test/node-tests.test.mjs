import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { runNodeTests } from "../lib/node-tests.mjs";
import { createTally } from "../lib/tally.mjs";

const dir = mkdtempSync(path.join(tmpdir(), "gantry-tally-"));
after(() => rmSync(dir, { recursive: true, force: true }));

/** Runs one file as a level would and returns the closing report. */
async function reportOf(name, source) {
  const file = path.join(dir, name);
  writeFileSync(file, `import { test, describe } from "node:test";\n${source}`);
  const tally = createTally();
  const { NODE_TEST_CONTEXT: _outer, ...env } = process.env;
  await runNodeTests({ level: "unit", files: [file], env, tally });
  return tally.report();
}

test("passed, failed and skipped tests are counted once each, suites and parents of failures not at all", async () => {
  const report = await reportOf(
    "mixed.test.mjs",
    `describe("a suite", () => { test("passes", () => {}); test("waits", { skip: "no engine" }, () => {}); });
     test("parent", async (t) => { await t.test("child fails", () => { throw new Error("red"); }); });`,
  );
  assert.match(report, /\n1 passed, 1 failed, 1 skipped$/);
  assert.match(report, /child fails/);
  assert.match(report, /waits: no engine/);
});

test("a file without a test, and one that cannot be loaded, are failures", async () => {
  assert.match(await reportOf("empty.test.mjs", ""), /\n0 passed, 1 failed$/);
  assert.match(await reportOf("broken.test.mjs", "throw new Error('at load');"), /\n0 passed, 1 failed$/);
});

test("the closing line names no skips when there are none", async () => {
  assert.equal(await reportOf("good.test.mjs", `test("one", () => {}); test("two", () => {});`), "\n2 passed, 0 failed");
});
