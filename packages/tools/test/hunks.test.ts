import assert from "node:assert/strict";
import { test } from "node:test";
import { hunksOf } from "../src/fs/hunks.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

test("a change has three lines of context on each side, and both sides read as text", () => {
  const before = numbered(20);
  const after = before.with(9, "changed");
  assert.deepEqual(hunksOf(before.join("\n"), after.join("\n")), [
    { startLine: 7, oldText: before.slice(6, 13).join("\n"), newText: after.slice(6, 13).join("\n") },
  ]);
});

test("a final newline that comes or goes is no text of its own", () => {
  assert.deepEqual(hunksOf("a\nb", "a\nb\n"), [{ startLine: 1, oldText: "a\nb", newText: "a\nb" }]);
});

test("no difference, an unknown side and an oversized change have no hunks", () => {
  assert.equal(hunksOf("a", "a"), null);
  assert.equal(hunksOf(null, "a"), null);
  assert.equal(hunksOf("x".repeat(40_000), "y".repeat(40_000)), null);
});

test("two long texts without anything in common are given up on, in about the time that one changed line takes", () => {
  const timeOf = (work: () => void) => {
    const started = performance.now();
    work();
    return performance.now() - started;
  };
  const lines = numbered(200_000);
  const [before, other] = [lines.join("\n"), lines.map((line) => `other ${line}`).join("\n")];
  const oneChange = lines.with(100_000, "changed").join("\n");
  const usual = Math.max(...[1, 2, 3].map(() => timeOf(() => assert.equal(hunksOf(before, oneChange)?.length, 1))));
  const took = Math.min(...[1, 2, 3].map(() => timeOf(() => assert.equal(hunksOf(before, other), null))));
  assert.ok(took < 5 * usual, `${took} ms, and ${usual} ms for one change`);
});
