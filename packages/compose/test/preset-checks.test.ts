// biome-ignore-all lint/suspicious/noThenProperty: "then" is a word of the format
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkPreset,
  composePreset,
  diffPresets,
  limits,
  makeCatalog,
  type Row,
  readPresetRows,
  readPresetSource,
  rowStates,
} from "../src/index.ts";
import { catalog, entry } from "./support/layers.ts";

const check = (source: string, facts = {}) => checkPreset({ slug: "own", source, facts });
const found = (source: string, facts = {}) => check(source, facts).problems.map(({ code, line, column }) => `${line}:${column} ${code}`);
const row = (id: string, name: string, more: Partial<Row> = {}): Row => ({ id, name, ...more });
const group = (id: string, config: readonly Row[], more: Partial<Row> = {}): Row => ({
  id,
  name: "cordis:group",
  group: true,
  config,
  ...more,
});

const presetCatalog = makeCatalog([
  entry("locked-tool", { planes: ["preset"], locked: true }),
  entry("paid-tool", { planes: ["preset"], entitled: { $eq: [{ $fact: "plan.tier" }, "pro"] } }),
]);

test("KN-088 a service without isolate is refused at save, with the service, the row and its line; in a realm it is taken", () => {
  const leak = check("- id: dry\n  name: subprocess-dry-run\n");
  assert.deepEqual(
    leak.problems.map(({ code, path, line }) => [code, path, line]),
    [["PRESET_LEAK", "$.dry", 1]],
  );
  assert.match(leak.problems[0]?.message ?? "", /^dry provides subprocess.*isolate: \{ subprocess: true \}/);
  for (const isolate of ["true", "shell"]) {
    assert.deepEqual(found(`- id: dry\n  name: subprocess-dry-run\n  isolate: {subprocess: ${isolate}}\n`), []);
    const grouped = `- id: g\n  name: cordis:group\n  group: true\n  isolate: {subprocess: ${isolate}}\n  config:\n    - id: inner
      name: cordis:group\n      group: true\n      config:\n        - {id: dry, name: subprocess-dry-run}\n        - {id: bash, name: tool-bash}\n`;
    assert.deepEqual(found(grouped), []);
  }
  // isolating another service, or a row that is off today, helps nothing
  assert.deepEqual(found("- id: dry\n  name: subprocess-dry-run\n  isolate: {fs: true}\n"), ["1:3 PRESET_LEAK"]);
  assert.deepEqual(found("- id: dry\n  name: subprocess-dry-run\n  disabled: true\n"), ["1:3 PRESET_LEAK"]);
  assert.deepEqual(found("- id: plan\n  name: plan-mode\n"), ["1:3 PRESET_LEAK"]);
});

test("KN-088 a leak inside a group names the path to its row", () => {
  const rows = [group("outer", [group("inner", [row("shell", "shell-local")])], { isolate: { other: true } })];
  const { problems } = composePreset({ slug: "own", revision: 1, rows, facts: {}, catalog, hostServices: new Set() });
  assert.deepEqual(
    problems.filter(({ code }) => code === "PRESET_LEAK").map(({ path }) => path),
    ["$.outer.inner.shell"],
  );
});

test("a text is checked whole: gate, shape, plugin, plane, plan, schema, secrets, ids and conditions, each with its line", () => {
  assert.deepEqual(found("- id: x\n  name: tool-bash\n  config: !!js 1\n"), ["3:16 EXPR_FORBIDDEN"]);
  assert.deepEqual(found("id: x\n"), ["1:1 ROW_INVALID"]);
  assert.deepEqual(found("- id: x\n  name: no-such\n"), ["2:3 PLUGIN_UNKNOWN"]);
  assert.deepEqual(found("- id: x\n  name: agent-loop\n"), ["1:3 PLUGIN_PLANE"]);
  assert.deepEqual(found("- id: x\n  name: tool-timeout-policy\n- id: y\n  name: tool-bash\n  config:\n    timeoutMs: soon\n"), [
    "6:5 CONFIG_INVALID",
  ]);
  assert.deepEqual(found("- id: x\n  name: tool-bash\n  disabled: true\n  config:\n    timeoutMs: soon\n"), ["5:5 CONFIG_INVALID"]);
  assert.deepEqual(found("- id: x\n  name: tool-timeout-policy\n- id: x\n  name: tool-fs\n"), ["3:3 ROW_DUPLICATE"]);
  assert.deepEqual(found("- id: x\n  name: tool-timeout-policy\n  disabled: {$eq: [{$fact: session.user}, me]}\n"), ["3:21 FACT_UNKNOWN"]);
  const twice = check(
    "- id: a\n  name: tool-timeout-policy\n- id: g\n  name: cordis:group\n  group: true\n  config:\n    - id: a\n      name: tool-fs\n",
  );
  assert.deepEqual(
    twice.problems.map(({ code, line }) => [code, line]),
    [["ROW_DUPLICATE", 7]],
  );
  assert.equal(twice.composition, null);
});

test("what the platform alone may write, and what the plan does not have, is refused in a preset too", () => {
  const rows = [row("a", "locked-tool"), row("b", "paid-tool")];
  const own = composePreset({ slug: "own", revision: 1, rows, facts: { "plan.tier": "free" }, catalog: presetCatalog });
  assert.deepEqual(
    own.problems.map(({ code, path }) => [code, path]),
    [
      ["ROW_LOCKED", "$.a"],
      ["PLUGIN_NOT_ENTITLED", "$.b"],
    ],
  );
  assert.deepEqual(
    composePreset({ slug: "own", revision: 1, rows: [rows[1]], facts: { "plan.tier": "pro" }, catalog: presetCatalog }).problems,
    [],
  );
});

test("a preset has at most 100 rows, groups and what they hold together", () => {
  const many = (count: number) => [
    group(
      "g",
      Array.from({ length: count - 1 }, (_, index) => row(`r${index}`, "tool-timeout-policy")),
    ),
  ];
  assert.equal(readPresetRows(many(limits.maxPresetRows)).ok, true);
  const over = readPresetRows(many(limits.maxPresetRows + 1));
  assert.deepEqual(over.ok || over.issues.map(({ code }) => code), ["INPUT_LIMIT"]);
});

test("rows as data pass the same gate: what a column holds is not trusted", () => {
  for (const rows of [
    JSON.parse('[{"id":"x","name":"tool-timeout-policy","__proto__":{"a":1}}]'),
    [{ id: "x", name: "tool-timeout-policy", disabled: { $exec: 1 } }],
    null,
    "rows",
  ]) {
    const { problems, mounts } = composePreset({ slug: "own", revision: 1, rows, facts: {} });
    assert.ok(problems.length > 0);
    assert.deepEqual(mounts, []);
  }
});

test("KN-090 a group that is off takes all below it along, however deep and whatever the rows say of themselves", () => {
  const rows = [
    group("outer", [row("a", "tool-timeout-policy", { disabled: false }), group("inner", [row("b", "tool-fs")])], {
      disabled: { $eq: [{ $fact: "plan.tier" }, "free"] },
    }),
  ];
  const compose = (tier: string) => composePreset({ slug: "own", revision: 1, rows, facts: { "plan.tier": tier } });
  assert.deepEqual(compose("free").mounts, []);
  assert.deepEqual(
    [...rowStates(compose("free")).values()].map(({ state }) => state),
    Array(4).fill("disabled"),
  );
  assert.deepEqual(
    compose("pro").mounts[0]?.children?.map(({ id }) => id),
    ["a", "inner"],
  );
  assert.notEqual(compose("free").hash, compose("pro").hash);
});

test("KN-090 what is wrong deep in a group names the path to it", () => {
  const rows = [group("outer", [group("inner", [row("b", "tool-fs", { config: { read: "yes" } })])])];
  const { problems } = composePreset({ slug: "own", revision: 1, rows, facts: {} });
  assert.deepEqual(
    problems.map(({ path }) => path),
    ["$.outer.inner.b.config.read"],
  );
});

test("conditions, facts and limits hold in presets: decided, asked for in the hash, clamped", () => {
  const rows = [
    row("bash", "tool-bash", { config: { timeoutMs: { $if: { $gt: [{ $fact: "plan.seats" }, 10] }, then: 1e12, else: 1000 } } }),
  ];
  const of = (seats: number) => composePreset({ slug: "own", revision: 1, rows, facts: { "plan.seats": seats, "plan.tier": "team" } });
  assert.deepEqual([of(5).mounts[0]?.config, of(50).mounts[0]?.config], [{ timeoutMs: 1000 }, { timeoutMs: 3_600_000 }]);
  assert.deepEqual(of(5).facts, { "plan.seats": 5 });
  assert.equal(of(5).hash, composePreset({ slug: "other", revision: 9, rows, facts: { "plan.seats": 5 } }).hash);
});

test("a preset that asks for a service that its root has not is refused; one that the root has is taken", () => {
  const rows = [row("bash", "tool-bash")];
  const at = (hostServices?: ReadonlySet<string>) =>
    composePreset({ slug: "own", revision: 1, rows, facts: {}, ...(hostServices ? { hostServices } : {}) }).problems;
  assert.deepEqual(at(), []);
  assert.deepEqual(
    at(new Set(["tools", "systemPrompt"])).map(({ code, path }) => [code, path]),
    [["SERVICE_MISSING", "$.bash"]],
  );
  assert.match(at(new Set(["tools"]))[0]?.message ?? "", /bash would wait for subprocess, systemPrompt/);
});

test("two lists of rows differ row by row and field by field, rows in groups by their own ids", () => {
  const before = [row("a", "tool-timeout-policy"), group("g", [row("b", "tool-fs", { config: { read: true } })])];
  const after = [group("g", [row("b", "tool-fs", { config: { read: false } }), row("c", "tool-bash")], { isolate: { fs: true } })];
  assert.deepEqual(
    diffPresets(before, after).map((one) => (one.kind === "changed" ? `~ ${one.id}.${one.field}` : `${one.kind} ${one.id}`)),
    ["removed a", "~ g.isolate", "~ b.config", "added c"],
  );
  assert.deepEqual(diffPresets(before, structuredClone(before)), []);
});

test("a preset's text is read to rows that nobody can change", () => {
  const read = readPresetSource("- id: a\n  name: tool-timeout-policy\n  config: {}\n");
  assert.ok(read.ok && Object.isFrozen(read.rows) && Object.isFrozen(read.rows[0]?.config));
});
