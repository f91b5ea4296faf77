import assert from "node:assert/strict";
import { test } from "node:test";
import { checkLink, checkMode, Meter, safeSegments } from "../src/sandboxd/archive/checks.ts";

const refused = { code: "ARCHIVE_REFUSED" };

test("SC-F3 names below the root pass, others do not", () => {
  assert.deepEqual(safeSegments("./a//b/"), ["a", "b"]);
  assert.deepEqual(safeSegments("..a/b.."), ["..a", "b.."]);
  for (const name of ["/a", "..", "a/..", "a/../../b", "C:\\x", "c:/x", "a\0b", "x".repeat(256), "a/".repeat(2000)]) {
    assert.throws(() => safeSegments(name), refused, name.slice(0, 20));
  }
});

test("SC-F3 links stay inside, however they are written", () => {
  for (const [path, target] of [
    ["a", "b"],
    ["d/a", "../b"],
    ["d/e/a", "../../x/y"],
    ["a", "."],
    ["d/a", ".."],
  ] as const) {
    checkLink(path.split("/"), target);
  }
  for (const [path, target] of [
    ["a", ".."],
    ["a", "../b"],
    ["d/a", "../../b"],
    ["d/a", "x/../.."],
    ["d/e/a", "x/../y"],
    ["a", "/"],
    ["a", ""],
  ] as const) {
    assert.throws(() => checkLink(path.split("/"), target), refused, `${path} -> ${target}`);
  }
});

test("SC-F3 setuid and setgid files are refused, setgid folders are usual", () => {
  assert.throws(() => checkMode("file", 0o4755), refused);
  assert.throws(() => checkMode("file", 0o2755), refused);
  checkMode("directory", 0o2755);
});

test("SC-F4 the meter stops before the limit is passed, and at a ratio no honest archive has", () => {
  const mb = 1024 * 1024;
  const meter = new Meter({ maxBytes: 30 * mb, maxEntries: 2 });
  meter.countInput(1000);
  meter.countOutput(16 * mb);
  assert.throws(() => meter.countOutput(1), refused, "far more than it holds");
  meter.countInput(mb);
  meter.countOutput(13 * mb);
  assert.throws(() => meter.countOutput(2 * mb), refused, "too large");
  meter.countEntry();
  meter.countEntry();
  assert.throws(() => meter.countEntry(), refused);
});
