import assert from "node:assert/strict";
import { test } from "node:test";
import { completionsAt, type Hints } from "../src/features/yaml/completions.ts";

const hints: Hints = {
  plugins: [
    { name: "persona", description: "Who the agent is", config: { properties: { prefix: { type: "string" } } } },
    {
      name: "tool-bash",
      description: "Runs commands",
      config: {
        properties: {
          background: { type: "boolean" },
          shell: { type: "string", enum: ["bash", "sh"] },
          limits: { type: "object", properties: { cpu: { type: "integer" } } },
        },
      },
    },
  ],
  services: ["fs", "tools"],
  operators: ["$eq", "$fact"],
  facts: ["plan.tier"],
};
/** `|` is the cursor. */
const labels = (marked: string, options = {}): string[] => {
  const [before = "", after = ""] = marked.split("|");
  return completionsAt(before, after, hints, options)?.options.map(({ label }) => label) ?? [];
};

test("a row offers its fields, and a layer the insertion too", () => {
  assert.ok(labels("- |").includes("id"));
  assert.ok(labels("- id: a\n  |").includes("config"));
  assert.ok(!labels("- id: a\n  |").includes("insert"));
  assert.ok(labels("- |", { layer: true }).includes("insert"));
});

test("`name:` offers plugins, also in a group", () => {
  assert.deepEqual(labels("- id: a\n  name: |"), ["persona", "tool-bash"]);
  assert.deepEqual(labels("- id: g\n  name: cordis:group\n  group: true\n  config:\n    - id: a\n      name: |"), ["persona", "tool-bash"]);
});

test("the config offers the keys and values of its plugin's schema, wherever the name stands", () => {
  assert.deepEqual(labels("- id: a\n  name: tool-bash\n  config:\n    |"), ["background", "shell", "limits"]);
  assert.deepEqual(labels("- id: a\n  config:\n    |\n  name: tool-bash\n"), ["background", "shell", "limits"]);
  assert.deepEqual(labels("- id: a\n  name: tool-bash\n  config:\n    shell: |"), ["bash", "sh"]);
  assert.deepEqual(labels("- id: a\n  name: tool-bash\n  config:\n    background: t|"), ["true", "false"]);
  assert.deepEqual(labels("- id: a\n  name: tool-bash\n  config:\n    limits:\n      |"), ["cpu"]);
  assert.deepEqual(labels("- id: g\n  name: cordis:group\n  config:\n  - id: a\n    name: persona\n    config:\n      |"), ["prefix"]);
  assert.deepEqual(labels("- id: a\n  name: persona\n- id: b\n  name: tool-bash\n  config:\n    |\n- id: c\n  name: persona\n").length, 3);
});

test("conditions offer operators and facts; text and comments offer nothing", () => {
  assert.deepEqual(labels("- id: a\n  disabled:\n    |"), ["$eq", "$fact"]);
  assert.deepEqual(labels("- id: a\n  name: persona\n  config:\n    prefix:\n      $fact: |"), ["plan.tier"]);
  assert.deepEqual(labels("- id: a\n  name: persona\n  config:\n    prefix: |-\n      You are |".replace("|-", ">")), []);
  assert.deepEqual(labels("# - id: a|"), []);
  assert.deepEqual(labels("- id: a\n  isolate:\n    |"), ["fs", "tools"]);
});
