import assert from "node:assert/strict";
import { test } from "node:test";
import { markdownBlocks } from "../src/features/session/model/markdown-blocks.ts";
import type { TextRow } from "../src/features/session/model/rows.ts";
import { splitText } from "../src/features/session/model/split-text.ts";

const row = (text: string, live = true): TextRow => ({ kind: "text", key: "m", messageId: "m", text, live, cutOff: false });

test("blocks are cut at blank lines; fences, lists and indented continuations stay whole", () => {
  assert.deepEqual(markdownBlocks("# A\n\npara\nmore\n\n```js\na\n\nb\n```\n\n1. x\n\n   y\n\n2. z\n\nend"), [
    "# A",
    "para\nmore",
    "```js\na\n\nb\n```",
    "1. x\n\n   y\n\n2. z",
    "end",
  ]);
});

test("a fence that is not closed yet swallows the rest; a longer fence may hold a shorter one", () => {
  assert.deepEqual(markdownBlocks("a\n\n```\nb\n\nc"), ["a", "```\nb\n\nc"]);
  assert.deepEqual(markdownBlocks("````\n```\n\n```\n````\n\nd"), ["````\n```\n\n```\n````", "d"]);
});

test("a text with link definitions stays one block, since any block may use them", () => {
  const text = "see [x]\n\n[x]: https://example.com";
  assert.deepEqual(markdownBlocks(text), [text]);
});

test("while a text grows, only its last block changes", () => {
  const text = "one\n\ntwo\n\n- a\n- b\n\n```\ncode\n\nmore\n```\n\nthree\n\n> four\n\nfive";
  let before: string[] = [];
  for (let end = 1; end <= text.length; end++) {
    const now = markdownBlocks(text.slice(0, end));
    for (const [at, block] of before.slice(0, -1).entries()) assert.equal(now[at], block, `block ${at} at ${end}`);
    before = now;
  }
});

test("CP-10 a long answer is many rows, and a token changes the object of the last one only", () => {
  const text = Array.from({ length: 200 }, (_, at) => `Paragraph ${at} ${"word ".repeat(20)}`).join("\n\n");
  const before = splitText(row(text));
  const after = splitText(row(`${text} token`));
  assert.ok(before.length > 10);
  assert.equal(new Set(before.map((part) => part.key)).size, before.length);
  const changed = after.filter((part, at) => part !== before[at]);
  assert.deepEqual(changed, [after.at(-1)]);
  assert.deepEqual(after.map((part) => part.live).indexOf(true), after.length - 1);
});

test("a short text is one row, the same object", () => {
  const short = row("hello");
  assert.deepEqual(splitText(short), [short]);
  assert.equal(splitText(short)[0], short);
});
