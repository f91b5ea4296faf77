import assert from "node:assert/strict";
import { test } from "node:test";
import { fastestOf } from "@gantry/testing/fastest-of";
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

test("two long texts without anything in common are given up on, in about the time that a change at each end takes", () => {
  const lines = numbered(200_000);
  const [before, other] = [lines.join("\n"), lines.map((line) => `other ${line}`).join("\n")];
  const twoChanges = lines.with(0, "changed").with(-1, "changed").join("\n");
  const usual = fastestOf(() => assert.equal(hunksOf(before, twoChanges)?.length, 2));
  const took = fastestOf(() => assert.equal(hunksOf(before, other), null), { enoughMs: 5 * usual });
  assert.ok(took < 5 * usual, `${took} ms, and ${usual} ms for two changes`);
});

test("a change has the same hunks however busy the machine is: no clock decides", (t) => {
  const lines = numbered(400);
  const changed = lines.map((line, index) => (index % 2 ? line : `other ${line}`)).join("\n");
  const usual = hunksOf(lines.join("\n"), changed);
  assert.ok(usual);
  let now = 0;
  t.mock.method(Date, "now", () => (now += 1_000)); // each look at the clock finds it a second later
  t.mock.method(performance, "now", () => (now += 1_000));
  assert.deepEqual(hunksOf(lines.join("\n"), changed), usual);
});

test("a change far down is numbered by its own lines, and lines that repeat around it are told apart as far as they matter", () => {
  const before = [...numbered(1_000), ...Array.from({ length: 50 }, () => "same"), ...numbered(1_000)];
  assert.deepEqual(hunksOf(before.join("\n"), before.toSpliced(1_020, 1).join("\n")), [
    { startLine: 1_047, oldText: "same\nsame\nsame\nsame\nline 1\nline 2\nline 3", newText: "same\nsame\nsame\nline 1\nline 2\nline 3" },
  ]);
  assert.deepEqual(hunksOf(before.join("\n"), before.with(-1, "end").join("\n")), [
    { startLine: 2_047, oldText: "line 997\nline 998\nline 999\nline 1000", newText: "line 997\nline 998\nline 999\nend" },
  ]);
});
