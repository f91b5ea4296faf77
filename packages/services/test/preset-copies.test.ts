import assert from "node:assert/strict";
import { test } from "node:test";
import { composeOrg, orgFacts, platformPresets, presetText } from "@gantry/compose";
import { readSource } from "../src/preset/read-source.ts";
import { hashOfRows } from "../src/preset/write-revision.ts";

const facts = orgFacts({ tier: "team", seats: 25, flags: {} }, { os: "linux", privateHosts: false });
const { rows: hostRows, hash } = composeOrg({ providers: [], facts });
const ground = { facts, hostRows, hash, label: "org@0" };

for (const { slug, revision, rows } of platformPresets)
  test(`G-1 a copy of ${slug} ${revision} has its very rows and passes the checks of a save`, () => {
    const copy = readSource("copy", presetText(rows), ground);
    assert.deepEqual(copy.problems, []);
    assert.equal(hashOfRows(copy.rows), hashOfRows(rows));
  });
