import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogData, checkPreset, checkSave, compose, makeCatalog, profileLayers, rowStates } from "../src/index.ts";
import { catalog, composed, entry, layer } from "./support/layers.ts";

const found = (source: string) => checkPreset({ slug: "own", source, facts: {} }).problems;
const told = (source: string) => found(source).map(({ line, path, message }) => `${line} ${path} ${message}`);

test("KN-076 a plugin without settings refuses every key, in a layer and in a preset", () => {
  const layers = profileLayers("web");
  const org = layer("org@1", [{ id: "token-meter", config: { nope: 1 } }]);
  const problems = checkSave(org, { profile: "web", layers, catalog: catalogData, facts: {} });
  assert.deepEqual(
    problems.map(({ code, path, message }) => [code, path, message]),
    [["CONFIG_INVALID", "$.token-meter.config.nope", 'token-meter refuses this: it takes no config, and "nope" is written. Remove it.']],
  );
  const empty = layer("org@1", [{ id: "token-meter", config: {} }]);
  assert.deepEqual(checkSave(empty, { profile: "web", layers, catalog: catalogData, facts: {} }), []);
  assert.deepEqual(
    compose({ profile: "web", layers: [...layers, org], catalog: catalogData, facts: {} }).problems.map(({ code }) => code),
    ["CONFIG_INVALID"],
  );
  const slash = "- id: c\n  name: command-compact\n  config:\n    nope: 1\n";
  assert.deepEqual(
    found(slash)
      .filter(({ code }) => code === "CONFIG_INVALID")
      .map(({ line, path }) => [line, path]),
    [[4, "$.c.config.nope"]],
  );
  const free = catalogData.entries.filter(({ config, planned }) => !planned && config.properties === undefined);
  assert.deepEqual(free, [], "only what has no code takes anything");
});

test("each unknown key is told at the key, with the field that is meant or those there are", () => {
  assert.deepEqual(told('- id: p\n  name: persona\n  config:\n    prefix: ""\n    prefixx: You\n    zzz: 1\n'), [
    '5 $.p.config.prefixx persona refuses this: it has no field "prefixx". Did you mean "prefix"? Its fields are prefix, complete, includeRuntimeContext. Rename or remove it.',
    '6 $.p.config.zzz persona refuses this: it has no field "zzz". Its fields are prefix, complete, includeRuntimeContext. Rename or remove it.',
  ]);
  const policies =
    "- id: c\n  name: compaction-basic\n  isolate: { compaction: true }\n  config:\n    modelPolicies:\n      - provider: a\n        model: b\n        modle: c\n";
  assert.match(told(policies).join(), /^8 \$\.c\.config\.modelPolicies\[0\]\.modle .*no field "modle"\. Did you mean "model"\?/);
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, "x"]));
  assert.equal(catalogData.checkConfig("persona", { prefix: "", ...many }).length, 20);
});

test("a field that is missing is named, with what it takes", () => {
  const [first, ...more] = found("- id: p\n  name: persona\n  config:\n    complete: true\n");
  assert.deepEqual([first?.path, first?.line, more], ["$.p.config.prefix", 3, []]);
  assert.equal(first?.message, 'persona refuses this: the field "prefix" is missing. It takes a text. Add it.');
  assert.deepEqual(told("- id: p\n  name: persona\n"), [
    '1 $.p.config.prefix persona refuses this: the field "prefix" is missing. It takes a text. Add it.',
  ]);
});

test("a value that a field does not take is told in words, and never repeated", () => {
  const reasons = (name: string, config: object) => catalogData.checkConfig(name, config as never).map(({ message }) => message);
  assert.deepEqual(reasons("persona", { prefix: 5, complete: "sk-secret", includeRuntimeContext: null }), [
    '"prefix" takes a text, and this is a number',
    '"complete" takes true or false, and this is a text',
    '"includeRuntimeContext" takes true or false, and this is empty',
  ]);
  assert.deepEqual(reasons("llm-retry", { mode: "often", maxRetries: 101, baseDelayMs: 1.5, maxDelayMs: [] }), [
    '"mode" takes one of normal, always',
    '"maxRetries" takes a whole number at least 0 and at most 100',
    '"baseDelayMs" takes a whole number above 0, and this is no whole number',
    '"maxDelayMs" takes a whole number above 0 and at most 3600000, and this is a list',
  ]);
  assert.deepEqual(reasons("permission-presets", { presets: [{ name: "a", mode: "read-only" }, 3] }), [
    'the field "presets[0].policy" is missing. It takes one of ask, never',
    '"presets[1]" takes a map, and this is a number',
  ]);
  assert.deepEqual(reasons("tool-bash", { home: "x" }), ['"home" takes a text that starts with /']);
  assert.deepEqual(reasons("permission-presets", { presets: [{ name: "A b", mode: "read-only", policy: "ask" }] }), [
    '"presets[0].name" takes a text that matches ^[a-z][a-z0-9-]{0,63}$',
  ]);
  const odd = makeCatalog([
    entry("odd", { config: { type: "object", properties: { a: { anyOf: [{ type: "string" }] } }, required: ["a"] } }),
  ]);
  assert.equal(odd.checkConfig("odd", {}).length, 1, "what there are no words for is refused all the same");
});

test("KN-076 an unknown plugin is named where its name is written, and its row is the broken one", () => {
  assert.deepEqual(told("- id: nope\n  disabled: true\n  name: no-such-plugin\n"), [
    '3 $.nope.name No plugin named "no-such-plugin" is in the catalogue. Correct the name, or remove the row.',
  ]);
  const composition = composed([layer("org@1", [{ insert: [{ id: "x", name: "n".repeat(500) }] }])]);
  const [problem] = composition.problems;
  assert.ok(problem && problem.message.length < 200, problem?.message);
  assert.equal(rowStates(composition, { catalog }).get("x")?.state, "invalid");
});
