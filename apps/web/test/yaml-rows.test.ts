import assert from "node:assert/strict";
import { test } from "node:test";
import { configFields, fits } from "../src/features/yaml/config-fields.ts";
import { addRow, type FormRow, freeId, removeRow, rowsOf, setConfig, setEnabled } from "../src/features/yaml/rows.ts";

const source = `# what the team agreed on
- id: persona
  name: persona # keep it short
  config:
    # reviewed by Ada
    prefix: |-
      You are careful.
      You test what you change.
- id: bash
  name: tool-bash
- id: tools
  name: cordis:group
  group: true
  config:
    - id: todo
      name: tool-todo
      disabled:
        $eq: [{ $fact: plan.tier }, free]
`;

const rows = (text: string): readonly FormRow[] => {
  const read = rowsOf(text);
  assert.ok("rows" in read);
  return read.rows;
};
const row = (text: string, id: string): FormRow => {
  const found = rows(text)
    .flatMap((one) => [one, ...one.children])
    .find((one) => one.id === id);
  assert.ok(found);
  return found;
};

test("a text is read as rows: place, state and the rows of a group", () => {
  assert.deepEqual(
    rows(source).map(({ id, name, line, enabled, isGroup }) => ({ id, name, line, enabled, isGroup })),
    [
      { id: "persona", name: "persona", line: 2, enabled: true, isGroup: false },
      { id: "bash", name: "tool-bash", line: 9, enabled: true, isGroup: false },
      { id: "tools", name: "cordis:group", line: 11, enabled: true, isGroup: true },
    ],
  );
  assert.equal(row(source, "todo").enabled, null);
  assert.deepEqual(row(source, "todo").path, [2, "config", 0]);
  assert.equal(row(source, "persona").config.prefix, "You are careful.\nYou test what you change.");
});

test("a text that does not parse says why and where", () => {
  const read = rowsOf("- id: a\n  name: [b\n- id: c\n");
  assert.ok("problem" in read);
  assert.ok(read.line >= 2);
  assert.deepEqual(rowsOf("just: a map\n"), { problem: "The text is not a list of rows.", line: 1 });
  assert.deepEqual(rowsOf(""), { rows: [] });
});

test("a change of one field leaves comments, order and all other lines as they were", () => {
  const next = setConfig(source, row(source, "persona").path, "prefix", "You are bold.\nYou ask nobody.");
  const gone = source.split("\n").filter((line) => !next.split("\n").includes(line));
  assert.deepEqual(gone, ["      You are careful.", "      You test what you change."]);
  assert.equal(row(next, "persona").config.prefix, "You are bold.\nYou ask nobody.");
  assert.match(next, /# what the team agreed on/);
  assert.match(next, /persona # keep it short/);
  assert.match(next, /# reviewed by Ada/);
});

test("switching a row off and on again gives the same text back", () => {
  const off = setEnabled(source, row(source, "bash").path, false);
  assert.equal(row(off, "bash").enabled, false);
  assert.equal(setEnabled(off, row(off, "bash").path, true), source);
});

test("an emptied config goes with its last field, a first field brings it", () => {
  const set = setConfig("- id: bash\n  name: tool-bash\n", [0], "maxTimeoutMs", 5000);
  assert.equal(set, "- id: bash\n  name: tool-bash\n  config:\n    maxTimeoutMs: 5000\n");
  assert.equal(setConfig(set, [0], "maxTimeoutMs", undefined), "- id: bash\n  name: tool-bash\n");
  assert.equal(row(setConfig(set, [0], "deny", ["rm", "dd"]), "bash").config.deny?.toString(), "rm,dd");
});

test("a removed row takes only itself; an added one gets an id that nobody has", () => {
  const without = removeRow(source, row(source, "bash").path);
  assert.deepEqual(
    rows(without).map(({ id }) => id),
    ["persona", "tools"],
  );
  assert.equal(without, source.replace("- id: bash\n  name: tool-bash\n", ""));
  assert.equal(freeId(rows(source), "bash"), "bash-2");
  assert.equal(freeId(rows(source), "todo"), "todo-2");
  assert.equal(addRow("", { id: "bash", name: "tool-bash" }), "- id: bash\n  name: tool-bash\n");
  assert.equal(addRow("[]\n", { id: "bash", name: "tool-bash" }), "- id: bash\n  name: tool-bash\n");
  assert.equal(addRow(source, { id: "fs", name: "tool-fs" }), `${source}- id: fs\n  name: tool-fs\n`);
});

test("a schema becomes fields; what the form cannot show is left to the text", () => {
  const fields = configFields({
    properties: {
      on: { type: "boolean", default: true },
      max: { type: "integer", minimum: 1, maximum: 9007199254740991 },
      mode: { type: "string", enum: ["a", "b"] },
      names: { type: "array", items: { type: "string" } },
      text: { type: "string", description: "What it says" },
      deep: { type: "object", properties: {} },
    },
  });
  assert.deepEqual(
    fields.map(({ name, kind }) => [name, kind]),
    [
      ["on", "boolean"],
      ["max", "number"],
      ["mode", "choice"],
      ["names", "list"],
      ["text", "text"],
      ["deep", "yaml"],
    ],
  );
  const [on, max, mode, names] = fields;
  assert.ok(on && max && mode && names);
  assert.deepEqual([max.kind === "number" && max.min, max.kind === "number" && max.max], [1, null]);
  assert.ok(!fits(on, { $fact: "plan.tier" }));
  assert.ok(!fits(mode, "c"));
  assert.ok(fits(names, ["x"]));
  assert.ok(fits(on, undefined));
});

test("a text in another layout is rewritten as a whole, with the same meaning", () => {
  for (const other of ['[{"id": "bash", "name": "tool-bash"}]\n', "  - id: bash\n    name: tool-bash\n"]) {
    const off = setEnabled(other, [0], false);
    assert.deepEqual(
      rows(off).map(({ id, name, enabled }) => ({ id, name, enabled })),
      [{ id: "bash", name: "tool-bash", enabled: false }],
    );
  }
});
