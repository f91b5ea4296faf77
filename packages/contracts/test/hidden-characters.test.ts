import assert from "node:assert/strict";
import { test } from "node:test";
import { line, RollBackLayer, RollBackPreset, UploadAttachment } from "../src/index.ts";

const name = line(80);

test("a line refuses what nobody sees and what turns text around", () => {
  const refused = {
    "zero-width space": "ad\u200bmin",
    "word joiner": "ad\u2060min",
    "byte order mark": "ad\ufeffmin",
    "soft hyphen": "ad\u00admin",
    "a joiner between letters that need none": "ad\u200dmin",
    "right-to-left override": "a\u202enimda",
    isolate: "a\u2066b\u2069",
    "right-to-left mark": "a\u200fb",
    "line separator": "one\u2028two",
    "paragraph separator": "one\u2029two",
    "line feed": "one\ntwo",
    "next line": "one\u0085two",
    "a letter without a shape": "\u3164",
    "tags without a flag": "a\u{e0061}\u{e0062}\u{e007f}",
    "a joiner at the end": "👩\u200d",
  };
  for (const [what, text] of Object.entries(refused)) assert.equal(name.safeParse(text).success, false, what);
});

test("a line keeps emoji of several parts, joiners of spelling and every ordinary script", () => {
  const legal = ["👩‍👩‍👧‍👦 team", "👩🏽‍💻", "🏳️‍🌈", "❤️‍🔥", "🧔‍♀️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇩🇪", "1️⃣", "می‌خواهم", "क्‍ष", "日本語", "Zoë", "שלום", "a – b"];
  for (const text of legal) assert.equal(name.parse(text), text);
});

test("the name of an uploaded file loses what nobody sees instead of being refused", () => {
  const upload = { org: "acme", session: "00000000-0000-8000-8000-000000000000" };
  assert.equal(UploadAttachment.parse({ ...upload, name: "\u200eC:\\scans\\re\u200bport.pdf" }).name, "report.pdf");
  assert.equal(UploadAttachment.safeParse({ ...upload, name: "a\nb" }).success, false);
});

test("a revision beyond what the database holds is refused as input", () => {
  const preset = { org: "acme", slug: "team", revision: 1, expectedRevision: null };
  const layer = { org: "acme", profile: "web", revision: 1, expectedRevision: 0 };
  for (const [revision, isLegal] of [
    [2 ** 31 - 1, true],
    [2 ** 31, false],
  ] as const) {
    assert.equal(RollBackPreset.safeParse({ ...preset, revision }).success, isLegal);
    assert.equal(RollBackPreset.safeParse({ ...preset, expectedRevision: revision }).success, isLegal);
    assert.equal(RollBackLayer.safeParse({ ...layer, revision }).success, isLegal);
    assert.equal(RollBackLayer.safeParse({ ...layer, expectedRevision: revision }).success, isLegal);
  }
});
