import assert from "node:assert/strict";
import { test } from "node:test";
import { fastestOf } from "@gantry/testing/fastest-of";
import { ansiSpans, stripAnsi } from "../src/lib/ansi.ts";

const esc = "\u001b";

test("SC-W4 colours and weights pass; titles, links, clipboard, cursor moves and device reports do not", () => {
  const hostile = [
    `${esc}]0;title\u0007`,
    `${esc}]52;c;c2VjcmV0\u0007`,
    `${esc}]8;;javascript:alert(1)${esc}\\link${esc}]8;;${esc}\\`,
    `${esc}[2J${esc}[H${esc}[6n${esc}[?1049h`,
    `${esc}Pq#0;2;0;0;0${esc}\\`,
    `${esc}c${esc}(B${esc}7`,
    "\u0007\u0008\u009b31m\u202e",
  ].join("");
  assert.equal(stripAnsi(`a${hostile}b`).replace("31m", ""), "alinkb");
  assert.deepEqual(ansiSpans(`${esc}[1;31mred${esc}[0m plain`), [
    { text: "red", style: "bold fg-red" },
    { text: " plain", style: "" },
  ]);
});

test("extended colours are skipped with their arguments; a sequence that never ends swallows nothing else", () => {
  assert.deepEqual(ansiSpans(`${esc}[38;5;31mx${esc}[39my`), [
    { text: "x", style: "" },
    { text: "y", style: "" },
  ]);
  assert.equal(stripAnsi(`ok${esc}[`), "ok");
});

test("a line that overwrites itself shows its last state", () => {
  assert.equal(stripAnsi("10%\r50%\r100%\ndone\r\n"), "100%\ndone\n");
});

test("ten megabytes of colour changes are read in linear time", () => {
  const took = fastestOf(() => assert.equal(ansiSpans(`${esc}[31mx`.repeat(200_000)).length, 200_000), { enoughMs: 5_000, runs: 5 });
  assert.ok(took < 5_000, `${took} ms`);
});
