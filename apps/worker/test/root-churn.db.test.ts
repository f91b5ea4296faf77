import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

// needs no database; it stands with those that do because it takes seconds
const orgs = 300;
const rounds = 2;
const mb = 1024 * 1024;
type Seen = {
  before: { heap: number; resources: string[] };
  rounds: { open: number; left: number; heap: number }[];
  resources: string[];
};

test(`KN-109 KN-110 ${orgs} org roots that are made, replaced and evicted again and again leave the heap flat and no handle`, {
  timeout: 300_000,
}, async (t) => {
  const script = fileURLToPath(new URL("./support/churn.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script, String(orgs), String(rounds)]);
  const seen = JSON.parse(stdout) as Seen;
  for (const round of seen.rounds) assert.deepEqual([round.open, round.left], [orgs, 0]);
  const grown = seen.rounds.map(({ heap }) => (heap - seen.before.heap) / mb);
  t.diagnostic(`heap after each round, above the first: ${grown.map((size) => size.toFixed(2)).join(", ")} MB`);
  // one root is about a megabyte: were one in a hundred kept, this would show
  for (const size of grown) assert.ok(size < 3, `${size.toFixed(1)} MB more`);
  assert.deepEqual(seen.resources, seen.before.resources);
});
