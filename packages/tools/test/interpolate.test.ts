import assert from "node:assert/strict";
import { test } from "node:test";
import { interpolate } from "../src/prompt/interpolate.ts";

const values: Record<string, string | undefined> = {
  name: "Ada",
  empty: "",
  evil: "{{name}} {{nobody}} }} {{",
  long_2: "x",
  none: undefined,
};
const fill = (text: string) =>
  interpolate(text, "greeting", (name) => (Object.hasOwn(values, name) ? Promise.resolve(values[name]) : undefined));

test("SYS-5 AG-208 a reference is replaced by its value as it is; what opens and is never closed is text", async () => {
  const cases: [string, string][] = [
    ["{{name}}", "Ada"],
    ["{{name}}{{name}}", "AdaAda"],
    ["a {{empty}} b", "a  b"],
    ["{{long_2}}", "x"],
    ["{{evil}}!", "{{name}} {{nobody}} }} {{!"],
    ["{{", "{{"],
    ["{{ {x} {", "{{ {x} {"],
    ["}} {name} { {name} }", "}} {name} { {name} }"],
    ["{{name}} and {{", "Ada and {{"],
    ["$& $1 {{name}} $`", "$& $1 Ada $`"],
  ];
  for (const [text, filled] of cases) assert.equal(await fill(text), filled, text);
});

test("SYS-5 anything else between the braces fails the section that has it, nested and broken ones too", async () => {
  const malformed = [
    "{{}}",
    "{{ name}}",
    "{{name }}",
    "{{Name}}",
    "{{{name}}}",
    "{{{{name}}}}",
    "{{na me}}",
    "{{na\nme}}",
    "{{1a}}",
    "{{a-b}}",
  ];
  malformed.push("{{a.b}}", "{{наме}}", "{{name\u200b}}", "{{ {{name}} }}", "{{a[0]}}", "{{#if x}}");
  for (const text of malformed) await assert.rejects(fill(text), /section "greeting" has the malformed reference/, text);
  for (const text of ["{{nobody}}", "{{constructor}}", "{{hasownproperty}}", "{{name}} {{nobody}}"])
    await assert.rejects(fill(text), /section "greeting" refers to the unknown variable/, text);
  await assert.rejects(fill("{{none}}"), /refers to "none", which has no value here/);
});
