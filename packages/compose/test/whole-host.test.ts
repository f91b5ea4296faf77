import assert from "node:assert/strict";
import { test } from "node:test";
import { composeOrg, composePreset, describeIssue, hostRequirements, profileNames, readLayer, rowStates } from "../src/index.ts";

const composed = (source: string) => composeOrg({ providers: [], facts: {}, layers: [readLayer("org@3", "org", source)] });
const problems = (source: string) => composed(source).problems.map(({ code, path }) => `${code} ${path}`);
const warned = (source: string) => composed(source).warnings.map(({ code, id }) => `${code} ${id}`);
const off = (...ids: readonly string[]) => ids.map((id) => `- {id: ${id}, disabled: true}\n`).join("");
const insert = (...rows: readonly string[]) => `- insert:\n${rows.map((row) => `    - ${row}\n`).join("")}`;

test("A-7 a composition without the loop is refused with the row that is off and the layer that said so; the list of rows repeats it", () => {
  const { problems: found, rows } = composed(off("agent-loop"));
  assert.deepEqual(
    found.map(({ code, path, cause }) => [code, path, cause]),
    [["NO_AGENT_FACTORY", "$.agent-loop", "$.agent-loop.disabled"]],
  );
  assert.match(found[0]?.message ?? "", /No session can run.*agent-loop, which is one, is switched off by org@3\. Switch that row on/);
  const state = rowStates({ rows, problems: found }).get("agent-loop");
  assert.deepEqual([state?.state, state?.reasons.length], ["disabled", 1]);
});

test("A-7 the loop is replaced by switching its row off and inserting another; two loops, or one in a realm, are refused", () => {
  const other = insert("{id: my-loop, name: agent-loop}");
  assert.deepEqual(problems(off("agent-loop") + other), []);
  assert.deepEqual(problems(other), ["AGENT_FACTORY_TAKEN $.my-loop"]);
  assert.match(composed(other).problems.map(describeIssue).join(), /agent-loop and my-loop both run/);
  const hidden = insert("{id: my-loop, name: agent-loop, isolate: {approval: true}}");
  assert.deepEqual(problems(off("agent-loop") + hidden), ["NO_AGENT_FACTORY $.my-loop"]);
});

test("a service that every root offers may change its provider and never go: also where no row of the list asks for it", () => {
  assert.deepEqual(problems(off("subprocess-sandbox")), ["HOST_INCOMPLETE $.subprocess-sandbox"]);
  assert.match(composed(off("subprocess-sandbox")).problems[0]?.message ?? "", /^Sessions need subprocess, .*subprocess-sandbox.*org@3/);
  assert.deepEqual(problems(off("subprocess-sandbox") + insert("{id: dry, name: subprocess-dry-run}")), []);
  const isolated = insert("{id: dry, name: subprocess-dry-run, isolate: {subprocess: true}}");
  assert.deepEqual(problems(off("subprocess-sandbox") + isolated), ["HOST_INCOMPLETE $.subprocess-sandbox"]);
  assert.deepEqual(problems(off("fs-sandbox")).sort(), ["HOST_INCOMPLETE $.fs-sandbox", "SERVICE_MISSING $.spill"]);
  assert.ok(hostRequirements.services.includes("fs") && hostRequirements.services.includes("subprocess"));
  for (const profile of profileNames) assert.deepEqual(composeOrg({ profile, providers: [], facts: {} }).problems, [], profile);
});

test("K-19 two providers of a service in one realm are refused with both names; in realms apart they are not", () => {
  assert.deepEqual(problems(insert("{id: more-tools, name: tools}")), ["SERVICE_TAKEN $.more-tools"]);
  assert.match(composed(insert("{id: more-tools, name: tools}")).problems[0]?.message ?? "", /^tools and more-tools both provide tools/);
  assert.deepEqual(problems(insert("{id: dry, name: subprocess-dry-run}")), ["SERVICE_TAKEN $.dry"]);
  const pair = (a: string, b: string) =>
    [a, b].map((realm, at) => ({ id: `dry-${at}`, name: "subprocess-dry-run", isolate: { subprocess: realm === "true" || realm } }));
  const preset = (rows: unknown) =>
    composePreset({ slug: "own", revision: 1, rows, facts: {} }).problems.map(({ code, path }) => `${code} ${path}`);
  assert.deepEqual(preset(pair("one", "one")), ["SERVICE_TAKEN $.dry-1"]);
  assert.deepEqual(preset(pair("one", "two")), []);
  assert.deepEqual(preset([...pair("one", "one").slice(0, 1), { ...pair("one", "one")[1], disabled: true }]), []);
});

test("a plugin that stands once is refused the second time, with both rows; those that may stand several times are taken", () => {
  const twice = (name: string, config = {}) => [
    { id: "first", name, config },
    { id: "second", name, config },
  ];
  const of = (rows: unknown) => composePreset({ slug: "own", revision: 1, rows, facts: {} }).problems;
  for (const rows of [twice("tool-bash"), twice("persona", { prefix: "You write." })]) {
    const [problem, ...more] = of(rows);
    assert.deepEqual([problem?.code, problem?.path, more], ["PLUGIN_TWICE", "$.second", []]);
    assert.match(problem?.message ?? "", /^first and second are both .*\. Remove one of them/);
  }
  assert.deepEqual(of(twice("tool-subagent")), []);
  assert.deepEqual(problems(insert("{id: again, name: session-title-fallback}")), ["PLUGIN_TWICE $.again"]);
});

test("rows that keep sessions safe are set up by the org and stay on, in the open and where they are", () => {
  for (const id of ["approval", "permission-presets", "tools", "system-prompt", "settings", "llm", "agents"]) {
    assert.deepEqual(warned(off(id)), [`ROW_LOCKED ${id}`], id);
    for (const change of ["isolate: {fs: true}", "inject: [fs]", "disabled: {$eq: [1, 1]}"]) {
      assert.deepEqual(warned(`- {id: ${id}, ${change}}\n`), [`ROW_LOCKED ${id}`], `${id} ${change}`);
    }
    assert.deepEqual(warned(`- {id: ${id}, disabled: false}\n`), []);
  }
  assert.deepEqual(warned("- {id: agent-loop, isolate: {approval: true}}\n"), ["ROW_LOCKED agent-loop"]);
  assert.deepEqual(problems("- {id: approval, config: {expiresAfterHours: 24}}\n"), []);
  assert.deepEqual(warned(off("permission-rules")), [], "rules are the org's own");
  assert.deepEqual(problems(insert("{id: other, name: permission-presets}")), ["SERVICE_TAKEN $.other"]);
});

test("the names of shipped permissions keep their meaning; an org may add others and leave some out", () => {
  const table = (...presets: readonly string[]) => problems(`- {id: permission-presets, config: {presets: [${presets.join(", ")}]}}\n`);
  const invalid = ["CONFIG_INVALID $.permission-presets.config"];
  assert.deepEqual(table("{name: workspace-write, mode: danger-full-access, policy: never}"), invalid);
  assert.deepEqual(table("{name: read-only, mode: read-only, policy: never}"), invalid);
  assert.deepEqual(table("{name: custom, mode: read-only, policy: ask}"), invalid);
  assert.deepEqual(table("{name: read-only, mode: read-only, policy: ask}", "{name: unasked, mode: workspace-write, policy: never}"), []);
});

test("names that are no service are refused where they stand, with what was meant", () => {
  assert.deepEqual(problems("- {id: user-questions, inject: [moon]}\n").at(0), "SERVICE_UNKNOWN $.user-questions.inject");
  const [problem] = composed("- {id: user-questions, isolate: {systemprompt: true}}\n").problems;
  assert.deepEqual([problem?.code, problem?.path], ["SERVICE_UNKNOWN", "$.user-questions.isolate"]);
  assert.match(problem?.message ?? "", /Did you mean systemPrompt\?/);
});

test("a preset whose root has a row switched off says which, who did it, and what to do", () => {
  const rows = [
    {
      id: "g",
      name: "cordis:group",
      group: true,
      isolate: { compaction: true },
      config: [
        { id: "c", name: "compaction-basic" },
        { id: "command-compact", name: "command-compact" },
      ],
    },
  ];
  const hostRows = composed(off("commands")).rows;
  const [problem, ...more] = composePreset({ slug: "own", revision: 1, rows, facts: {}, hostRows }).problems;
  assert.deepEqual([problem?.code, problem?.path, more], ["SERVICE_MISSING", "$.g.command-compact", []]);
  assert.match(
    problem?.message ?? "",
    /^command-compact needs commands, which this organisation has switched off: commands \(off by org@3\)\. Switch that row on again/,
  );
  assert.deepEqual(composePreset({ slug: "own", revision: 1, rows, facts: {}, hostRows: composed("[]").rows }).problems, []);
});
