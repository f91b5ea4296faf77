import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogData, composeOrg, type Facts, managementRows, readLayer, setRowEnabled, type ToggleResult } from "../src/index.ts";

const facts: Facts = { "plan.tier": "free" };
const title = { row: "session-title-fallback", name: "session-title-fallback" };

function contextOf(source: string, bundles: readonly string[] = []) {
  const input = { providers: [], bundles, facts, layers: [readLayer("org@1", "org", source)] };
  return { current: composeOrg(input), below: composeOrg({ ...input, upTo: "plan" }) };
}

const toggle = (source: string, enabled: boolean, row = title, bundles: readonly string[] = []): ToggleResult =>
  setRowEnabled(source, { ...row, enabled }, contextOf(source, bundles));

function textOf(result: ToggleResult): string {
  assert.ok("source" in result, JSON.stringify(result));
  return result.source;
}

const isOn = (source: string, row = title, bundles: readonly string[] = []) =>
  contextOf(source, bundles).current.mounts.some(({ id }) => id === row.row);

test("KN-100 without a patch for the row one is appended, whatever stood there before; comments stay", () => {
  assert.equal(textOf(toggle("[]\n", false)), "- id: session-title-fallback\n  name: session-title-fallback\n  disabled: true\n");
  const written = "# ours\n- id: llm-retry # fewer\n  config: { maxRetries: 2 }\n\n# the end\n";
  const text = textOf(toggle(written, false));
  assert.ok(text.startsWith("# ours\n- id: llm-retry # fewer\n  config: { maxRetries: 2 }\n"), text);
  assert.match(text, /- id: session-title-fallback\n {2}name: session-title-fallback\n {2}disabled: true\n/);
  assert.match(text, /# the end/);
  assert.equal(isOn(text), false);
});

test("KN-100 of several patches for the row the last is changed, and nothing else of it", () => {
  const source = `- id: session-title-fallback
  config: { maxWords: 3 }
- id: session-title-fallback # the last
  config: { maxWords: 4 } # short
- id: session-title-fallback
  name: another-plugin
  disabled: true
- id: llm-retry
  config: { maxRetries: 1 }
`;
  const text = textOf(toggle(source, false));
  assert.equal(text, source.replace("# short\n", "# short\n  disabled: true\n"));
  assert.equal(isOn(text), false);
});

test("KN-100 switching back takes the field away where the row is on by itself, and the patch with it when nothing else is in it", () => {
  assert.equal(textOf(toggle(textOf(toggle("[]\n", false)), true)), "[]\n");
  const source = "- id: session-title-fallback\n  config: { maxWords: 4 } # short\n";
  assert.equal(textOf(toggle(textOf(toggle(source, false)), true)), source);
  const noted = "- id: llm-retry\n  config: {}\n# Ann wanted this off\n- id: session-title-fallback\n  disabled: true\n";
  const text = textOf(toggle(noted, true));
  assert.match(text, /Ann wanted this off/);
  assert.ok(isOn(text));
});

test("KN-100 a comment at the field itself stays: then the field says false", () => {
  const above = "- id: session-title-fallback\n  # titles cost time\n  disabled: true\n";
  assert.equal(textOf(toggle(above, true)), above.replace("true", "false"));
  const beside = "- id: session-title-fallback\n  config: { maxWords: 4 }\n  disabled: true # ask Ann\n";
  assert.equal(textOf(toggle(beside, true)), beside.replace("true", "false"));
  assert.equal(textOf(toggle(textOf(toggle(beside, true)), false)), beside);
  const group = "- id: session-title-fallback\n  disabled: # by plan\n    $eq: [ a, a ] # always\n";
  assert.match(textOf(toggle(group, true)), /^- id: session-title-fallback\n {2}disabled: .*false/s);
});

test("KN-100 a row that a bundle, an earlier patch or its own insertion switches off is switched on by saying false", () => {
  const sandbox = { row: "subprocess-sandbox", name: "subprocess-sandbox" };
  const overBundle = textOf(toggle("[]\n", true, sandbox, ["dry-run"]));
  assert.match(overBundle, /disabled: false/);
  const earlier = "- id: session-title-fallback\n  disabled: true\n- id: session-title-fallback\n  config: { maxWords: 2 }\n";
  const text = textOf(toggle(earlier, true));
  assert.match(text, /maxWords: 2 }\n {2}disabled: false/);
  assert.ok(isOn(text));
  const dry = { row: "dry", name: "subprocess-dry-run" };
  const inserted =
    "- insert:\n    - id: dry\n      name: subprocess-dry-run\n      disabled: true\n- id: subprocess-sandbox\n  disabled: true\n";
  const on = textOf(toggle(inserted, true, dry));
  assert.match(on, /- id: dry\n {2}name: subprocess-dry-run\n {2}disabled: false\n/);
  assert.ok(isOn(on, dry));
});

test("KN-100 a condition counts by what it says today", () => {
  const source = "- id: session-title-fallback\n  disabled: { $eq: [{ $fact: plan.tier }, free] }\n";
  assert.equal(isOn(source), false);
  assert.ok(isOn(textOf(toggle(source, true))));
  const other = source.replace("free", "pro");
  assert.match(textOf(toggle(other, false)), /disabled: true/);
});

test("KN-100 what is as wanted leaves the text alone, to the byte", () => {
  for (const source of ["[]", "# none yet\n[]\n", "-   id:    session-title-fallback\n    disabled:   false\n"]) {
    assert.equal(textOf(toggle(source, true)), source);
  }
});

test("KN-100 what stands above an empty or an emptied list stays", () => {
  assert.match(textOf(toggle("# none yet\n[]\n", false)), /^# none yet\n\n?- id: session-title-fallback\n/);
  const first = "# Ann wanted this off\n- id: session-title-fallback\n  disabled: true\n";
  assert.match(textOf(toggle(first, true)), /Ann wanted this off/);
});

test("KN-100 JSON stays JSON", () => {
  const text = textOf(toggle('[{ "id": "llm-retry", "config": { "maxRetries": 1 } }]', false));
  assert.equal((JSON.parse(text) as unknown[]).length, 2);
  const pretty = JSON.stringify([{ id: "session-title-fallback", config: { maxWords: 3 } }], null, 2);
  assert.deepEqual(JSON.parse(textOf(toggle(pretty, false))), [{ id: "session-title-fallback", config: { maxWords: 3 }, disabled: true }]);
});

test("KN-100 line ends and comments of a text from Windows stay, a byte order mark goes", () => {
  const source =
    "# ours\r\n- id: llm-retry # fewer\r\n  # twice is enough\r\n  config: { maxRetries: 2 }\r\n- id: session-title-fallback\r\n  # Ann\r\n  config: { maxWords: 4 } # short\r\n";
  const text = textOf(toggle(`\uFEFF${source}`, false));
  assert.equal(text, `${source}  disabled: true\r\n`);
  assert.equal(textOf(toggle(text, true)), source);
});

test("KN-100 a management row that is off by mistake can be switched on", () => {
  const loop = { row: "agent-loop", name: "agent-loop" };
  assert.equal(textOf(toggle("- id: agent-loop\n  disabled: true\n", true, loop)), "[]\n");
});

test("KN-100 unknown rows, another plugin's name, locked rows, management rows and broken layers are refused", () => {
  const refused = (row: string, name: string, source = "[]") => {
    const result = setRowEnabled(source, { row, name, enabled: false }, contextOf("[]"));
    return "refused" in result ? result.refused : result.source;
  };
  assert.equal(refused("no-such", "llm"), "NOT_FOUND");
  assert.equal(refused("session-title-fallback", "llm"), "PATCH_NAME_MISMATCH");
  assert.equal(refused("sandbox-policy", "sandbox-policy"), "ROW_LOCKED");
  for (const row of managementRows) assert.equal(refused(row, row), "ROW_LOCKED", row);
  assert.equal(refused("session-title-fallback", "session-title-fallback", "- id: [x"), "INPUT_REFUSED");
  assert.ok([...managementRows].every((name) => catalogData.find(name)));
});

test("KN-100 a group that holds a locked or a management row is refused with it", () => {
  const group =
    "- insert:\n    - {id: g, name: 'cordis:group', group: true, config: [{id: extra, name: subprocess-dry-run, isolate: {subprocess: true}}]}\n";
  const context = contextOf(group);
  assert.ok("source" in setRowEnabled(group, { row: "g", name: "cordis:group", enabled: false }, context));
  const held = {
    ...context.current,
    rows: context.current.rows.map((row) =>
      row.row.id === "g" ? { ...row, children: context.current.rows.filter(({ row: { id } }) => id === "tools") } : row,
    ),
  };
  const result = setRowEnabled(group, { row: "g", name: "cordis:group", enabled: false }, { ...context, current: held });
  assert.ok("refused" in result && result.refused === "ROW_LOCKED");
});
