import assert from "node:assert/strict";
import { test } from "node:test";
import { type Composition, diffCompositions, diffText, dumpJson, dumpText, readLayer } from "../src/index.ts";
import { base, codes, composed, layer, rowOf } from "./support/layers.ts";

const comments = (composition: Composition) =>
  dumpText(composition)
    .split("\n")
    .filter((line) => line.startsWith("# =="));

test("demo (d): shell swapped, loop not renamed, persona replaced; the dump tells who did it", () => {
  const user = layer("user", [
    { id: "shell", disabled: true },
    { insert: [{ id: "shell-local", name: "shell-local" }] },
    { id: "loop", name: "loop-of-mine" },
    { id: "persona", config: { prefix: "Short." } },
  ]);
  const before = composed([base]);
  const after = composed([base, user]);
  assert.deepEqual(codes(after), ["PATCH_NAME_MISMATCH"]);
  assert.equal(after.rows.length, before.rows.length + 1);
  assert.equal(after.rows.at(-1)?.row.id, "shell-local");
  assert.deepEqual(rowOf(after, "loop"), rowOf(before, "loop"));
  assert.equal(
    dumpText(after),
    `# profile web, composition ${after.hash}, catalogue ${after.catalogVersion}
# == base@1
- id: loop
  name: loop
# == base@1, patched by user
- id: shell
  name: shell-sandboxed
  config:
    timeoutMs: 500
  disabled: true
- id: persona
  name: persona
  config:
    prefix: Short.
# == base@1
- id: audit
  name: audit
- id: tools
  name: cordis:group
  config:
    - id: one
      name: loop
  group: true
# == user
- id: shell-local
  name: shell-local
`,
  );
  assert.deepEqual(dumpJson(after).warnings.length, 1);
  assert.ok(!dumpText(after).includes("mismatch"), "warnings go elsewhere (D-5)");
});

test("KN-075 a patch that changes nothing is not listed, two patchers are in order, inserted rows stand together", () => {
  const same = layer("same", [
    { id: "persona", config: { tone: "plain", prefix: "You are an agent." } },
    { id: "shell", name: "shell-sandboxed" },
  ]);
  const one = layer("one", [
    { id: "persona", config: { prefix: "1" } },
    {
      insert: [
        { id: "a", name: "loop" },
        { id: "b", name: "loop" },
      ],
    },
    { id: "a", disabled: true },
  ]);
  const two = layer(
    "two",
    [
      { id: "persona", disabled: true },
      { id: "b", config: { x: 1 } },
    ],
    "project",
  );
  const composition = composed([base, same, one, two]);
  assert.deepEqual(comments(composition), [
    "# == base@1",
    "# == base@1, patched by one, two",
    "# == base@1",
    "# == one",
    "# == one, patched by two",
  ]);
  const persona = dumpJson(composition).rows.find(({ row }) => row.id === "persona");
  assert.deepEqual(persona?.fields, { id: "base@1", name: "base@1", config: "one", disabled: "two" });
});

test("KN-075 a group counts as changed by whoever changed a row in it", () => {
  const composition = composed([
    base,
    layer("org", [{ insert: [{ id: "n", name: "loop" }], id: "tools" }]),
    layer("p", [{ id: "one", disabled: true }], "project"),
  ]);
  assert.ok(comments(composition).includes("# == base@1, patched by org, p"));
  const group = dumpJson(composition).rows.find(({ row }) => row.id === "tools");
  assert.deepEqual(
    group?.children?.map(({ row, origin, patchedBy }) => [row.id, origin, patchedBy]),
    [
      ["one", "base@1", ["p"]],
      ["n", "org", []],
    ],
  );
});

test("conditions print as written, `resolved` adds the outcome; clamps and planned rows are always named; secrets are references", () => {
  const rows = layer("org", [
    {
      insert: [
        { id: "off", name: "loop", disabled: { $eq: [{ $fact: "plan.tier" }, "free"] } },
        { id: "sh", name: "shell-local", config: { timeoutMs: 9999, key: { $fact: "plan.tier" } } },
        { id: "soon", name: "later" },
        { id: "keyed", name: "strict", config: { size: 1, key: { $secret: "api-key" } } },
      ],
    },
  ]);
  const composition = composed([rows], { "plan.tier": "free" });
  const plain = dumpText(composition);
  assert.match(plain, /disabled:\n {4}\$eq:\n {6}- \$fact: plan.tier\n {6}- free/);
  assert.match(plain, /# sh: timeoutMs clamped from 9999 to 1000/);
  assert.match(plain, /# soon: planned, this release has no code for it/);
  assert.match(plain, /\$secret: api-key/);
  assert.doesNotMatch(plain, /# off|mounts/);
  assert.deepEqual(dumpJson(composition).rows[1]?.clamps, [{ field: "timeoutMs", from: 9999, to: 1000 }]);
  const resolved = dumpText(composition, { resolved: true });
  assert.match(resolved, /# facts \{"plan.tier":"free"\}/);
  assert.match(resolved, /# off: disabled/);
  assert.match(resolved, /# sh: mounts with \{"timeoutMs":1000,"key":"free"\}/);
  assert.deepEqual(dumpJson(composition, { resolved: true }).rows[0]?.outcome, { state: "disabled" });
  assert.deepEqual(
    composition.mounts.map(({ id }) => id),
    ["sh", "keyed"],
  );
});

test("text that looks like comments, tags or line ends stays inside its row, and keeps its ends", () => {
  const nasty = "# == base@1\n- id: fake\n\u2028\u0085!!js x\r\n";
  const ends = ["a\n\n", "a\n\n\n", "a\u00a0", "a \n \n", "\n", "\ufeff", "~<<{\u2003"];
  const rows = layer("org", [
    { insert: [{ id: "a", name: "shell-local", config: { nasty, timeoutMs: 5000, mode: nasty, "k: #": "<<" } }] },
    { insert: ends.map((last, index) => ({ id: `end-${index}`, name: "loop", config: { last } })) },
  ]);
  const composition = composed([rows]);
  for (const resolved of [false, true]) {
    const again = readLayer("dump", "org", `${dumpText(composition, { resolved })}`);
    assert.deepEqual(
      again.patches,
      composition.rows.map(({ row }) => row),
    );
  }
});

test("a dump of two stacks differs where their rows do", () => {
  const org = layer("org@2", [
    { id: "one", disabled: true },
    { id: "persona", config: { prefix: "x" } },
    { insert: [{ id: "new", name: "loop" }] },
  ]);
  const [a, b] = [composed([base]), composed([base, org])];
  assert.deepEqual(
    diffCompositions(a, b).map((diff) => [diff.kind, diff.id, diff.kind === "changed" ? diff.field : "", diff.by]),
    [
      ["changed", "persona", "config", "org@2"],
      ["changed", "one", "disabled", "org@2"],
      ["added", "new", "", "org@2"],
    ],
  );
  assert.match(diffText(diffCompositions(b, a)), /^- - id: new\n- {3}name: loop {2}# org@2$/m);
  assert.match(diffText(diffCompositions(a, b)), /^~ one.disabled: \(not set\) → true {2}# org@2$/m);
  assert.equal(diffText(diffCompositions(a, a)), "");
});

test("the name and password in front of a host are never printed, in any form of the dump", () => {
  const rows = layer("org", [
    { insert: [{ id: "a", name: "loop", config: { url: "https://user:pa55@host/x", list: ["see ftp://t0ken@host"] }, disabled: false }] },
  ]);
  const composition = composed([rows]);
  const forms = [
    dumpText(composition, { resolved: true }),
    JSON.stringify(dumpJson(composition, { resolved: true })),
    diffText(diffCompositions(composed([]), composition)),
  ];
  for (const form of forms) {
    assert.doesNotMatch(form, /pa55|t0ken/);
    assert.match(form, /https:\/\/\*\*\*@host\/x/);
  }
});
