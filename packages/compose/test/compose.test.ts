// biome-ignore-all lint/suspicious/noThenProperty: "then" is a word of the format
import assert from "node:assert/strict";
import { test } from "node:test";
import { isAppError } from "@gantry/contracts";
import { canonicalJson, checkSave, compose, composeOrg, inForce, type Layer } from "../src/index.ts";
import { base, catalog, codes, composed, layer, mounted, rowOf } from "./support/layers.ts";

test("KN-069 a name that does not match skips the whole patch and warns with the layer's label", () => {
  const rename = layer("org@3", [{ id: "loop", name: "other-loop", config: { fast: true }, disabled: true }]);
  const composition = composed([base, rename]);
  assert.deepEqual(rowOf(composition, "loop")?.row, { id: "loop", name: "loop" });
  assert.deepEqual(
    composition.warnings.map(({ code, layer, patch, id }) => [code, layer, patch, id]),
    [["PATCH_NAME_MISMATCH", "org@3", 0, "loop"]],
  );
  assert.match(composition.warnings[0]?.message ?? "", /is loop, the patch expects other-loop/);
  assert.equal(composition.hash, composed([base]).hash);
});

test("KN-070 unknown ids, inserts into missing or plain rows warn and go on", () => {
  const composition = composed([
    base,
    layer("org@1", [
      { id: "nothing", disabled: true },
      { disabled: true },
      { insert: [{ id: "x", name: "loop" }], id: "nothing" },
      { insert: [{ id: "y", name: "loop" }], id: "loop" },
      { insert: [{ id: "z", name: "loop" }], id: "tools" },
      { id: "z", disabled: true },
    ]),
  ]);
  assert.deepEqual(codes(composition), Array(4).fill("PATCH_NOT_FOUND"));
  assert.deepEqual(
    composition.warnings.map(({ patch }) => patch),
    [0, 1, 2, 3],
  );
  const children = rowOf(composition, "tools")?.children?.map(({ row, outcome }) => [row.id, outcome.state]);
  assert.deepEqual(children, [
    ["one", "mounts"],
    ["z", "disabled"],
  ]);
});

test("KN-071 config is replaced whole, omitted fields stay; replacing a group's rows changes the index", () => {
  const composition = composed([
    base,
    layer("org@1", [
      { id: "persona", config: { prefix: "Short." } },
      { id: "shell", disabled: true },
      { id: "tools", config: [{ id: "two", name: "loop" }] },
      { id: "one", disabled: true },
      { id: "two", disabled: true },
      { insert: [{ id: "one", name: "loop" }] },
    ]),
  ]);
  assert.deepEqual(rowOf(composition, "persona")?.row.config, { prefix: "Short." });
  assert.deepEqual(rowOf(composition, "shell")?.row, { id: "shell", name: "shell-sandboxed", config: { timeoutMs: 500 }, disabled: true });
  assert.deepEqual(codes(composition), ["PATCH_NOT_FOUND"]);
  assert.deepEqual(rowOf(composition, "tools")?.row.config, [{ id: "two", name: "loop", disabled: true }]);
  assert.ok(mounted(composition).includes("one"));
});

test("KN-071 a group's config stays a list and a plain row's a map; a plain row cannot become a group", () => {
  const patches = [
    { id: "tools", config: {} },
    { id: "loop", config: [] },
    { id: "loop", group: true },
  ];
  const composition = composed([base, layer("org@1", patches)]);
  assert.deepEqual(codes(composition), Array(3).fill("PATCH_INVALID"));
  assert.equal(composition.hash, composed([base]).hash);
});

/** Writes into every part of a value. */
function scribble(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const member of Object.values(value)) scribble(member);
  if (Array.isArray(value)) value.push("scribble");
  else (value as Record<string, unknown>).scribble = true;
}

test("KN-072 inputs stay as they are, output shares nothing; without a layer the earlier values are back", () => {
  const config = { a: [1], raw: { $literal: { b: [1] } }, key: { $secret: "k" } };
  const patches = [
    { id: "persona", config: { prefix: "x", more: { $literal: [1] } }, isolate: { shell: true } },
    { insert: [{ id: "n", name: "shell-local", config, inject: ["llm"] }] },
    { id: "tools", config: [{ id: "two", name: "loop", config }] },
  ];
  // not frozen, so that a write would go through
  const stack = structuredClone([base, layer("org@1", patches)]) as Layer[];
  const before = canonicalJson(stack);
  const first = composed(stack);
  const bytes = JSON.stringify(first);
  scribble(first);
  assert.equal(canonicalJson(stack), before);
  assert.equal(JSON.stringify(composed(stack)), bytes);
  assert.deepEqual(rowOf(composed([base]), "persona")?.row.config, { prefix: "You are an agent.", tone: "plain" });
  assert.notEqual(composed(stack).hash, composed([base]).hash);
});

test("KN-073 a taken id is left out, and refused when saved", () => {
  const double = layer("org@1", [
    {
      insert: [
        { id: "loop", name: "persona" },
        { id: "new", name: "loop" },
      ],
    },
    {
      insert: [
        {
          id: "g",
          name: "cordis:group",
          group: true,
          config: [
            { id: "one", name: "loop" },
            { id: "g", name: "loop" },
            { id: "in", name: "loop" },
          ],
        },
      ],
    },
  ]);
  const composition = composed([base, double]);
  assert.deepEqual(codes(composition), Array(3).fill("ROW_DUPLICATE"));
  assert.equal(rowOf(composition, "loop")?.row.name, "loop");
  assert.deepEqual(
    rowOf(composition, "g")?.children?.map(({ row }) => row.id),
    ["in"],
  );
  const stack = { profile: "web", layers: [base], catalog, facts: {} };
  assert.deepEqual(
    checkSave(double, stack).map(({ code, path }) => [code, path]),
    [
      ["ROW_DUPLICATE", "$[0]"],
      ["ROW_DUPLICATE", "$[1]"],
      ["ROW_DUPLICATE", "$[1]"],
    ],
  );
});

test("KN-073 what is locked refuses every layer from the org's on, also through its group and by insertion; the plan may", () => {
  const grouped = layer(
    "bundle@1",
    [{ insert: [{ id: "guards", name: "cordis:group", group: true, config: [{ id: "inner", name: "audit" }] }] }],
    "bundle",
  );
  const attacks = [
    { id: "audit", disabled: true },
    { id: "audit", name: "audit", config: { off: true } },
    { id: "inner", disabled: true },
    { id: "guards", disabled: true },
    { id: "guards", config: [] },
    { id: "guards", isolate: { audit: true } },
    { insert: [{ id: "mine", name: "audit" }] },
    { insert: [{ id: "wrap", name: "cordis:group", group: true, config: [{ id: "deep", name: "audit" }] }] },
  ];
  for (const kind of ["org", "project"] as const) {
    const attack = layer("attack", attacks, kind);
    const composition = composed([base, grouped, attack]);
    assert.deepEqual(codes(composition), Array(attacks.length).fill("ROW_LOCKED"), kind);
    assert.deepEqual(
      composition.mounts.filter(({ id }) => id !== "wrap"),
      composed([base, grouped]).mounts,
    );
    assert.equal(checkSave(attack, { profile: "web", layers: [base, grouped], catalog, facts: {} }).length, attacks.length);
  }
  const plan = composed([base, grouped, layer("plan", [{ id: "audit", config: { deep: true } }], "plan")]);
  assert.deepEqual([plan.warnings, rowOf(plan, "audit")?.row.config], [[], { deep: true }]);
});

test("KN-073 numbers and choices beyond the limits are clamped, and the composition says so", () => {
  const shell = (config: object, facts = {}) => composed([layer("org@1", [{ insert: [{ id: "s", name: "shell-local", config }] }])], facts);
  const wild = shell({ timeoutMs: 1e9, mode: "always", net: { open: true, port: 1 } });
  assert.deepEqual(wild.mounts[0]?.config, { timeoutMs: 1000, mode: "ask", net: { open: false, port: 1 } });
  const outcome = wild.rows[0]?.outcome;
  assert.deepEqual(outcome?.state === "mounts" && outcome.clamps.map(({ field, from, to }) => [field, from, to]), [
    ["timeoutMs", 1e9, 1000],
    ["mode", "always", "ask"],
    ["net.open", true, false],
  ]);
  assert.deepEqual(shell({ net: { open: true } }, { "platform.privateHosts": true }).mounts[0]?.config, { net: { open: true } });
  assert.deepEqual(shell({ timeoutMs: 1, mode: "never" }).mounts[0]?.config, { timeoutMs: 100, mode: "never" });
  assert.deepEqual(shell({ timeoutMs: { $fact: "plan.seats" } }, { "plan.seats": 5000 }).mounts[0]?.config, { timeoutMs: 1000 });
});

test("KN-076 a broken org layer is a problem, the bundles alone still compose, and the last valid composition stays in force", () => {
  const insert = (name: string, config?: object) => layer("org@9", [{ insert: [{ id: "x", name, ...(config ? { config } : {}) }] }]);
  const broken: [Layer, string][] = [
    [insert("no-such"), "PLUGIN_UNKNOWN"],
    [insert("toString"), "PLUGIN_UNKNOWN"],
    [insert("only-preset"), "PLUGIN_PLANE"],
    [insert("pro"), "PLUGIN_NOT_ENTITLED"],
    [insert("strict"), "CONFIG_INVALID"],
    [insert("strict", { size: "big" }), "CONFIG_INVALID"],
    [insert("strict", { size: 1, other: 2 }), "CONFIG_INVALID"],
    [insert("strict", { size: 1, key: { secret: "plain" } }), "SECRET_MISPLACED"],
    [insert("loop", { key: { $secret: "a" } }), "SECRET_MISPLACED"],
  ];
  const valid = composed([base]);
  for (const [org, code] of broken) {
    const composition = composed([base, org]);
    const found = composition.problems[0];
    assert.equal(found?.code, code);
    assert.ok(found?.path.startsWith("$.x"), found?.path);
    assert.equal(inForce(composition, valid), valid);
    assert.throws(
      () => inForce(composition, null),
      (error) => isAppError(error, "COMPOSITION_INVALID") && error.message.includes("$.x"),
    );
    assert.equal(checkSave(org, { profile: "web", layers: [base], catalog, facts: {} })[0]?.code, code);
  }
  assert.deepEqual(composed([base, insert("strict", { size: 1, key: { $secret: "a" } })]).problems, []);
  assert.deepEqual(composed([base, insert("pro")], { "plan.tier": "pro" }).problems, []);

  const provider = { id: "p" as never, slug: "s", kind: "nonsense" as never, baseUrl: "", models: [] };
  assert.notDeepEqual(composeOrg({ providers: [provider], facts: {} }).problems, []);
  const bundles = composeOrg({ providers: [provider], facts: {}, upTo: "bundle" });
  assert.deepEqual([bundles.problems, mounted(bundles).includes("agent-loop")], [[], true]);
});

test("layers apply by kind, whatever order they come in; a request touches only what is opened for it", () => {
  const write = (kind: Layer["kind"]) =>
    layer(kind, [{ id: "persona", config: { by: kind } }, { insert: [{ id: `of-${kind}`, name: "loop" }] }], kind);
  const layers = [write("invocation"), write("project"), write("org"), write("plan"), base];
  const closed = compose({ profile: "web", layers, catalog, facts: {} });
  assert.deepEqual(rowOf(closed, "persona")?.row.config, { by: "project" });
  assert.deepEqual(rowOf(closed, "persona")?.patchedBy, ["plan", "org", "project"]);
  assert.deepEqual(codes(closed), ["ROW_LOCKED", "ROW_LOCKED"]);
  const opened = compose({ profile: "web", layers, catalog, facts: {}, invocationIds: new Set(["persona"]) });
  assert.deepEqual(rowOf(opened, "persona")?.row.config, { by: "invocation" });
  assert.equal(rowOf(opened, "of-invocation"), undefined);
});

test("the hash follows what runs: facts that are asked for, not others; not what is switched off", () => {
  const org = layer("org", [{ insert: [{ id: "n", name: "loop", disabled: { $eq: [{ $fact: "plan.tier" }, "free"] } }] }]);
  const hash = (facts: object) => composed([base, org], facts as never).hash;
  assert.notEqual(hash({ "plan.tier": "free" }), hash({ "plan.tier": "pro" }));
  assert.equal(hash({ "plan.tier": "pro", "plan.seats": 3 }), hash({ "plan.tier": "pro", "plan.seats": 4 }));
  // asked for without a difference in the rows: still another composition
  const same = layer("org", [
    { insert: [{ id: "n", name: "loop", config: { x: { $if: { $eq: [{ $fact: "plan.tier" }, "a"] }, then: 1, else: 1 } } }] },
  ]);
  assert.notEqual(composed([base, same], { "plan.tier": "a" }).hash, composed([base, same], { "plan.tier": "b" }).hash);
  const off = (config: object) => composed([base, layer("org", [{ insert: [{ id: "n", name: "loop", disabled: true, config }] }])]).hash;
  assert.equal(off({ a: 1 }), off({ a: 2 }));
});

test("a save answers for its own layer only: what others did wrong before is theirs", () => {
  const others = [
    base,
    layer("old", [
      {
        insert: [
          { id: "loop", name: "loop" },
          { id: "bad", name: "no-such" },
        ],
      },
    ]),
  ];
  const stack = { profile: "web", layers: others, catalog, facts: {} };
  assert.deepEqual(checkSave(layer("new", [{ id: "persona", disabled: true }]), stack), []);
  assert.deepEqual(
    checkSave(layer("new", [{ insert: [{ id: "worse", name: "no-such" }] }]), stack).map(({ path }) => path),
    ["$.worse.name"],
  );
});

test("500 rows are the most, in a layer and in a composition", () => {
  const rows = (count: number, prefix: string) => [
    { insert: Array.from({ length: count }, (_, index) => ({ id: `${prefix}${index}`, name: "loop" })) },
  ];
  assert.throws(() => layer("org", rows(501, "a")), /more than 500 rows/);
  const replaced = (count: number) => [{ id: "tools", config: rows(count, "a")[0]?.insert }];
  assert.throws(() => layer("org", replaced(501)), /more than 500 rows/);
  assert.equal(layer("org", replaced(500)).patches.length, 1);
  const layers = [layer("org", rows(300, "a")), layer("project", rows(200, "b"), "project")];
  assert.deepEqual(composed(layers).problems, []);
  assert.equal(composed([...layers, base]).problems[0]?.code, "INPUT_LIMIT");
});
