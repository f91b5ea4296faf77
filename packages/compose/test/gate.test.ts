import assert from "node:assert/strict";
import { test } from "node:test";
import { isAppError } from "@gantry/contracts";
import { fastestOf } from "@gantry/testing/fastest-of";
import { checkLayerText, describeIssue, gateText, gateValue, limits, readLayer } from "../src/index.ts";

/** The first refusal as `line:column code`, with its text checked to advise. */
function refusal(text: string): string {
  const gated = gateText(text);
  assert.ok(!gated.ok, `taken: ${text.slice(0, 40)}`);
  const [issue] = gated.issues;
  assert.ok(issue && issue.line !== undefined && issue.message.split(". ").length > 1, JSON.stringify(issue));
  return `${issue.line}:${issue.column} ${issue.code}`;
}

test("KN-077 a layer that is a map, a text, or has a null entry fails with layer and position", () => {
  const refused = (source: string, place: RegExp) =>
    assert.throws(
      () => readLayer("org@7", "org", source),
      (error) => isAppError(error, "INPUT_REFUSED") && error.message.includes('"org@7"') && place.test(error.message),
      source,
    );
  refused("id: loop", /line 1, column 1 \(\$\)/);
  refused("hello", /line 1, column 1 \(\$\)/);
  refused("", /\$: A layer is a list/);
  refused("- id: loop\n-\n- id: shell", /line 2, column \d+ \(\$\[1\]\)/);
  refused('[{"id": "loop"},\n  null]', /line 2, column 3 \(\$\[1\]\)/);
  refused("- id: loop\n- [1]", /line 2, column 3 \(\$\[1\]\)/);
  refused("- insert:\n    - id: a\n      name: b\n    - ~", /line 4, column 7 \(\$\[0\]\.insert\[1\]\)/);
  assert.deepEqual(readLayer("empty", "org", "[]").patches, []);
});

test("KN-078 what is code, refers elsewhere or is machinery of the language is refused with its line", () => {
  assert.equal(refusal("- id: a\n  disabled: !!js process.exit()"), "2:18 EXPR_FORBIDDEN");
  assert.equal(refusal("- id: a\n  config: !!js/function 'x'"), "2:25 EXPR_FORBIDDEN");
  assert.equal(refusal("a: !mine b"), "1:10 INPUT_SYNTAX");
  assert.equal(refusal("a: !!str 5"), "1:10 INPUT_SYNTAX");
  assert.equal(refusal("- &x a\n- *x"), "1:6 INPUT_SYNTAX");
  assert.equal(refusal("- b\n- *x"), "2:3 INPUT_SYNTAX");
  for (const tag of ["omap", "pairs", "set", "seq", "merge"]) assert.match(refusal(`- !!${tag} [a: 1, b]`), /^1:\d+ INPUT_SYNTAX$/, tag);
  assert.match(refusal("!!pairs\n- a: 1\n-\n"), /INPUT_SYNTAX$/);
  assert.match(refusal("- !!binary aGk=\n- !!timestamp 2026-01-01"), /INPUT_SYNTAX$/);
  assert.equal(refusal("x: &a {b: 1}"), "1:7 INPUT_SYNTAX");
  assert.equal(refusal("a:\n  <<: {b: 1}"), "2:3 INPUT_KEY");
  assert.equal(refusal("a: 1\na: 2"), "2:1 INPUT_SYNTAX");
  assert.equal(refusal('{"a": 1,\n "a": 2}'), "2:2 INPUT_SYNTAX");
  assert.equal(refusal("1: a"), "1:1 INPUT_KEY");
  assert.equal(refusal("? [a]\n: b"), "1:3 INPUT_KEY");
  assert.equal(refusal("%YAML 1.1\n---\na: yes"), "1:1 INPUT_SYNTAX");
  assert.equal(refusal("%JS 1\n---\na: yes"), "1:1 INPUT_SYNTAX");
  assert.equal(refusal("a: 1\n---\nb: 2"), "2:1 INPUT_SYNTAX");
  assert.equal(refusal("a: [1,\n  2"), "2:4 INPUT_SYNTAX");
  assert.equal(refusal("a: .inf"), "1:1 INPUT_TYPE");
  assert.equal(refusal("a: 9007199254740993"), "1:1 INPUT_TYPE", "it would be stored as another number");
  for (const key of ["__proto__", "constructor", "prototype"]) {
    assert.equal(refusal(`a:\n  b:\n    - "${key}": {polluted: true}`), "3:7 INPUT_KEY", key);
  }
  assert.equal(refusal("config:\n  x: {__jsExpr: 1}"), "2:7 EXPR_FORBIDDEN");
  assert.equal(refusal("config:\n  x: {$exec: ls}"), "2:7 EXPR_FORBIDDEN");
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test("KN-078 limits: 24 levels, 5,000 values, 64 KiB a text, 256 KiB a layer", () => {
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  assert.ok(gateText(nested(24)).ok);
  assert.match(refusal(nested(25)), /^1:25 INPUT_LIMIT$/);
  assert.match(refusal(`a:\n  ${"- ".repeat(30)}x`), /^2:\d+ INPUT_LIMIT$/);
  const lines = Array.from({ length: 25 }, (_, level) => `${" ".repeat(level)}k${level}:`).join("\n");
  assert.match(refusal(`${lines} 1`), /^24:24 INPUT_LIMIT$/);
  const list = (count: number) => JSON.stringify(Array.from({ length: count }, () => 1));
  assert.ok(gateText(list(limits.maxNodes - 1)).ok);
  // the fullest text that is still small enough passes, indented or not
  const pairs = Array.from({ length: (limits.maxNodes - 2) / 2 }, (_, index) => ({ [`key${index}`]: "value" }));
  for (const indent of [0, 2]) assert.ok(gateText(JSON.stringify(pairs, null, indent)).ok);
  assert.match(refusal(list(limits.maxNodes)), /INPUT_LIMIT$/);
  assert.ok(gateText(`a: ${"x".repeat(limits.maxStringBytes)}`).ok);
  assert.match(refusal(`a: ${"x".repeat(limits.maxStringBytes + 1)}`), /INPUT_LIMIT$/);
  assert.match(refusal(`- ${"ä".repeat(limits.maxStringBytes / 2 + 1)}`), /INPUT_LIMIT$/);
  assert.match(refusal(`# ${"x".repeat(limits.maxBytes)}`), /^1:1 INPUT_LIMIT$/);
});

test("KN-078 a text made to keep the parser busy is refused in no more time than the largest good one takes to read", () => {
  const largest = `- ${"x".repeat(40)}\n`.repeat(4_990);
  const usual = fastestOf(() => assert.ok(gateText(largest).ok));
  const marks = ['"', "a: ", "\n", "&a ", "- a\n"].map((mark) => mark.repeat(Math.floor(limits.maxBytes / mark.length)));
  for (const text of [
    ...marks,
    `[${",".repeat(200_000)}`,
    "[".repeat(200_000),
    "- ".repeat(120_000),
    "{a: ".repeat(60_000),
    `"${"[".repeat(200_000)}`,
  ]) {
    const took = fastestOf(() => assert.match(refusal(text), /INPUT_(LIMIT|SYNTAX)$/), { enoughMs: 5 * usual });
    assert.ok(took < 5 * usual, `${text.slice(0, 4)} took ${took} ms, a good text ${usual} ms`);
  }
});

test("KN-078 parsed data meets the same gate: no prototypes, accessors, cycles, functions or symbols", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const bad: unknown[] = [
    JSON.parse('{"__proto__": {"a": 1}}'),
    { a: new Date(0) },
    { a: () => 1 },
    { a: undefined },
    { a: 1n },
    { [Symbol("x")]: 1 },
    Object.defineProperty({}, "a", { get: () => 1, enumerable: true }),
    cyclic,
    { a: Number.NaN },
    new Array(2),
    { a: [{ "<<": { b: 1 } }] },
    { $literal: { "<<": 1 } },
  ];
  for (const [index, value] of bad.entries()) assert.equal(gateValue(value).ok, false, `value ${index}`);
  assert.ok(gateValue(Object.assign(Object.create(null), { a: [1, "b", null, true] })).ok);
  const texts = (count: number) => Array.from({ length: count }, () => "ä".repeat(limits.maxStringBytes / 2));
  assert.ok(gateValue(texts(limits.maxBytes / limits.maxStringBytes)).ok);
  for (const large of [
    texts(1 + limits.maxBytes / limits.maxStringBytes),
    Object.fromEntries(texts(5).map((text, at) => [`${at}${text.slice(1)}`, 1])),
  ]) {
    const gated = gateValue(large);
    assert.deepEqual(gated.ok || gated.issues.map(({ code }) => code), ["INPUT_LIMIT"], "as much as a text may hold");
  }
});

test("KN-078 lists of parsed data are plain lists, and nothing of their owner runs", () => {
  const refuse = (): never => {
    throw new Error("this ran");
  };
  class Longer extends Array {}
  const lists: Record<string, unknown> = {
    "with a computed item": Object.defineProperty([], 0, { get: refuse, enumerable: true }),
    "with a hidden item": Object.defineProperty([], 0, { value: 1 }),
    "with a hole": Object.assign(new Array(2), { 1: true }),
    "with a name": Object.assign([true], { also: true }),
    "with a symbol": Object.assign([true], { [Symbol("also")]: true }),
    "of another class": Longer.from([true]),
    "that is no list within": new Proxy([], { ownKeys: refuse }),
  };
  const { proxy: revoked, revoke } = Proxy.revocable([], {});
  revoke();
  for (const [what, list] of [...Object.entries(lists), ["revoked", revoked], ["a map that refuses", new Proxy({}, { ownKeys: refuse })]]) {
    const gated = gateValue([{ id: "llm", config: { list } }]);
    assert.deepEqual([gated.ok, gated.ok || gated.issues[0]?.code], [false, "INPUT_TYPE"], String(what));
  }
});

test("JSON, indented by tabs or not, is read as it is; $literal lets keys with $ through and guards the rest", () => {
  const value = {
    insert: [{ id: "a", name: "b", config: { schema: { $literal: { $ref: "#/x" } }, text: 'a\u2028b "q" \\ 😀', n: -1.5e3 } }],
  };
  for (const indent of [undefined, 2, "\t"]) {
    const gated = gateText(JSON.stringify([value], null, indent));
    assert.deepEqual(gated.ok && gated.value, [value]);
  }
  assert.match(refusal('{"$literal": {"__proto__": 1}}'), /INPUT_KEY/);
});

test("every mistake of a layer is named at its line, with what to do", () => {
  const text = `- id: loop
  nmae: x
- id: Wrong Id
- id: shell
  disabled: {$eq: [{$fact: plan.seats}, "3"]}
- insert:
    - name: persona
      config: [1]
- insert: []
  disabled: true
`;
  const found = checkLayerText(text).map(describeIssue);
  for (const line of [2, 3, 5, 7, 8, 10])
    assert.ok(
      found.some((issue) => issue.startsWith(`line ${line},`)),
      `line ${line}: ${found.join("\n")}`,
    );
  for (const row of [
    "{id: a, name: b, group: true, config: []}",
    "{id: a, name: cordis:group, config: []}",
    "{id: a, name: cordis:group, group: true}",
  ]) {
    assert.notDeepEqual(checkLayerText(`- insert: [${row}]`), [], row);
  }
  assert.deepEqual(checkLayerText("- id: loop\n  disabled: true\n"), []);
});

test("a field that a row has not is named at its line, with those it has", () => {
  const [issue, ...more] = checkLayerText("- id: loop\n  disabled: true\n  nmae: x\n");
  assert.deepEqual([issue?.path, issue?.line, more], ["$[0].nmae", 3, []]);
  assert.equal(
    issue?.message,
    'A row has no field "nmae". Its fields are id, name, config, disabled, group, isolate, inject. Rename it or take it out.',
  );
});

test("a tab that indents is named where it stands; JSON with tabs has other mistakes", () => {
  for (const [text, place] of [
    ["- id: a\n\tname: b\n", "2:1"],
    ["- id: a\n  config:\n\t\tx: 1\n", "3:1"],
    ["- id: a\n  config:\n    x: 1\n\ty: 2\n", "4:1"],
    ["- id: a\n  \tname: b\n", "2:3"],
    ["- insert:\n\t- id: a\n\t  name: b\n", "2:1"],
    ["\t- id: a\n", "1:1"],
    ["- id: a\r\n\tname: b\r\n", "2:1"],
  ] as const) {
    const [issue] = checkLayerText(text);
    assert.deepEqual([`${issue?.line}:${issue?.column}`, issue?.code], [place, "INPUT_SYNTAX"], JSON.stringify(text));
    assert.match(issue?.message ?? "", /a tab cannot indent\. Use spaces\.$/);
  }
  for (const text of ['[\n\t{"id": "a"\n\t"name": "b"}\n]', '[\n\t{"id": "a"}\n', "- id: a\n name: b\n", "- id: a\tb\n c: d: e\n"]) {
    const [issue] = checkLayerText(text);
    assert.ok(issue && !/tab/.test(issue.message), JSON.stringify([text, issue]));
  }
});

test("what a database cannot store is refused with its line, in texts and keys, escaped or as it is, in text and in data", () => {
  for (const [text, place] of [
    ['a: 1\nb: "x\\0y"', "2:1"],
    ['a: 1\nb: "x\\uD800y"', "2:1"],
    ['a:\n  "k\\0": 1', "2:3"],
    ['a:\n  "k\\uDC00": 1', "2:3"],
    ["a: 1\n# \0", "2:3"],
    ["a: 1\n# \uD800", "2:3"],
    ['{"$literal":\n {"a": "\\u0000"}}', "2:3"],
  ] as const) {
    assert.equal(refusal(text), `${place} INPUT_TYPE`, JSON.stringify(text));
  }
  for (const value of [["\0"], { "a\0": 1 }, { a: "\uD800" }, { "\uDC00": 1 }]) {
    const gated = gateValue(value);
    assert.deepEqual(gated.ok || gated.issues.map(({ code }) => code), ["INPUT_TYPE"]);
  }
  assert.ok(gateText('a: "\\u00e4 \\ud83d\\ude00 😀"').ok);
});

test("a byte order mark in front of a text is no part of it", () => {
  const gated = gateText("\uFEFF- id: loop\n");
  assert.deepEqual(gated.ok && gated.value, [{ id: "loop" }]);
  assert.equal(refusal("\uFEFFa: .inf"), "1:1 INPUT_TYPE");
});
