import assert from "node:assert/strict";
import { test } from "node:test";
import { fastestOf } from "@gantry/testing/fastest-of";
import { matchesPattern } from "../src/matches-pattern.ts";
import { tracks } from "../src/repeat-reminder/config.ts";

const length = 250_000;
const texts = ["a".repeat(length), "ab".repeat(length / 2), `${"a".repeat(length - 1)}b`, "aab".repeat(length / 3), " ".repeat(length)];
/** Thirty ways of asking a text that nearly fits, again and again, each of at most 500 characters as rules allow. */
const patterns = [
  ..."ab ".split("").flatMap((char) => [`*${char.repeat(497)}!*`, `*!${char.repeat(497)}*`, `${`*${char}`.repeat(249)}!`]),
  ...[1, 2, 8, 9, 100, 240].flatMap((count) => [`*${"a".repeat(count)}b${"a".repeat(count)}*`, `*aa${"ba".repeat(count)}*`]),
  ...[2, 16, 100].flatMap((count) => [
    `${"*ab".repeat(count)}*!`,
    `${"*aab".repeat(count)}!*`,
    `*${"ab".repeat(count)}!*${"ba".repeat(count)}`,
  ]),
];

test("SC-R12 thirty evil patterns over long texts that nearly fit take no longer than looking at each character some times", () => {
  assert.equal(patterns.length, 30);
  for (const text of texts) {
    const sum = () => {
      let total = 0;
      for (let at = 0; at < text.length; at += 1) total += text.charCodeAt(at);
      assert.ok(total > 0);
    };
    const once = fastestOf(sum);
    for (const pattern of patterns) {
      const enoughMs = 100 * once + 10;
      const took = fastestOf(() => matchesPattern(text, pattern), { enoughMs });
      assert.ok(took < enoughMs, `${took} ms for ${pattern.slice(0, 40)} over ${text.slice(0, 8)}, ${once} ms to look once`);
    }
  }
});

test("SC-R12 a preset's pattern of many stars over a long tool name does not stand still", () => {
  const isTracked = tracks({ thresholds: [3], argumentsPreviewChars: 10, include: [`${"*a".repeat(30)}*b`], exclude: ["note.*", "x*"] });
  assert.deepEqual([isTracked("a".repeat(64)), isTracked(`${"a".repeat(63)}b`), isTracked("xa")], [false, true, false]);
});

test("a part is found wherever it stands, as the engine's own search finds it", () => {
  let state = 7;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
  const word = (max: number) => Array.from({ length: random(max) }, () => "ab"[random(2)]).join("");
  for (let round = 0; round < 5_000; round += 1) {
    const [text, part] = [word(60), word(14)];
    assert.equal(matchesPattern(text, `*${part}*`), text.includes(part), `${text} ${part}`);
  }
});
