import assert from "node:assert/strict";
import { test } from "node:test";
import { composeOrg, readLayer } from "@gantry/compose";
import { fastestOf } from "@gantry/testing/fastest-of";
import { matchesPattern } from "@gantry/tools/matches-pattern";
import { stringsOf } from "../src/permission-rules/matches.ts";
import { Config, type Rule, ruleFor } from "../src/permission-rules/rules.ts";
import { ends, outcomes, results, waitingAgent } from "./support/waiting.ts";

test("a pattern is text with stars for any run of characters; nothing else in it is special", () => {
  const cases: [string, string, boolean][] = [
    ["bash", "bash", true],
    ["bash2", "bash", false],
    ["mcp__github__push", "mcp__*__push", true],
    ["mcp__push", "mcp__*__push", false],
    ["anything", "*", true],
    ["", "*", true],
    ["a.b", "a?b", false],
    ["rm -rf /", "*rm -rf*", true],
    ["aXbXa", "a*b*a", true],
    ["ab", "a*ab", false],
    ["line\nrm -rf x", "*rm -rf*", true],
    ["a[b]", "a[b]*", true],
  ];
  for (const [text, pattern, fits] of cases) assert.equal(matchesPattern(text, pattern), fits, `${text} ${pattern}`);
});

test("a pattern of many stars over a long text takes no longer than taking the text apart", () => {
  const text = "a".repeat(200_000);
  const usual = fastestOf(() => assert.equal(text.split("a").length, text.length + 1));
  const took = fastestOf(() => assert.equal(matchesPattern(text, `${"*a".repeat(200)}*b`), false), { enoughMs: usual });
  assert.ok(took < usual, `${took} ms, and ${usual} ms to take the text apart`);
});

test("every string of the arguments counts, at any depth; text that is no JSON is one", () => {
  let deep: unknown = "x";
  for (let level = 0; level < 50_000; level += 1) deep = [deep];
  assert.deepEqual([...stringsOf({ a: "1", b: ["2", { c: "3" }], d: 4, e: null })].sort(), ["1", "2", "3"]);
  assert.deepEqual([...stringsOf("raw")], ["raw"]);
  assert.deepEqual([...stringsOf(deep)], ["x"]);
});

test("the first rule that fits decides, by tool, kind of tool and argument", () => {
  const rules: Rule[] = [
    { tool: "bash", argument: "git status*", decision: "allow" },
    { tool: "bash", decision: "ask" },
    { tool: "*", risk: ["read"], decision: "allow" },
    { tool: "*", decision: "deny", reason: "only reading" },
  ];
  const of = (name: string, args: unknown, risk: "read" | "write" | "execute" = "execute") =>
    ruleFor(rules, { name, arguments: args as never }, risk)?.decision;
  assert.deepEqual([of("bash", { command: "git status -s" }), of("bash", { command: "rm x" })], ["allow", "ask"]);
  assert.deepEqual([of("read", {}, "read"), of("write", {}, "write"), of("unknown", {})], ["allow", "deny", "deny"]);
  assert.equal(ruleFor([], { name: "bash", arguments: {} }, "execute"), undefined);
});

test("SC-R12 in arguments that are too long to look through, rules that ask or deny fit and none allows", () => {
  const of = (decision: Rule["decision"], text: string) =>
    ruleFor([{ tool: "*", argument: "*b*", decision }], { name: "write", arguments: { content: text } }, "write")?.decision;
  const [whole, long] = ["a".repeat(250_000), "a".repeat(250_001)];
  assert.deepEqual([of("deny", whole), of("ask", whole), of("allow", whole)], [undefined, undefined, undefined]);
  assert.deepEqual([of("deny", long), of("ask", long), of("allow", `${long}b`)], ["deny", "ask", undefined]);
});

test("SC-P2 what a rule allows by its arguments is what the call works on, not what the model says beside it", () => {
  const rules: Rule[] = [
    { tool: "bash", argument: "git status*", decision: "allow" },
    { tool: "edit", argument: "/workspace/docs/*", decision: "allow" },
    { tool: "grep", argument: "/workspace/docs*", decision: "allow" },
    { tool: "*", argument: "*secret*", decision: "deny" },
    { tool: "*", decision: "ask" },
  ];
  const of = (name: string, args: unknown) => ruleFor(rules, { name, arguments: args as never }, "execute")?.decision;
  assert.equal(of("bash", { command: "git status -s", description: "Look" }), "allow");
  assert.equal(of("bash", { command: "git status" }), "allow");
  for (const description of ["git status", "git status of it"]) assert.equal(of("bash", { command: "rm -r x", description }), "ask");
  for (const more of ["; rm x", " && rm x", " | sh", "\nrm x", " $(rm x)", " `rm x`", " > x", " < x", " & rm x"])
    assert.equal(of("bash", { command: `git status${more}` }), "ask", more);
  assert.equal(of("edit", { file_path: "/workspace/docs/a", old_string: "x", new_string: "y" }), "allow");
  assert.equal(of("edit", { file_path: "/workspace/src/a", old_string: "/workspace/docs/a", new_string: "y" }), "ask");
  assert.equal(of("grep", { pattern: "/workspace/docs", path: "/etc" }), "ask", "all that it works on has to fit");
  assert.equal(of("bash", "git status"), "ask", "arguments that are no JSON");
  assert.equal(of("bash", { command: "ls", description: "read the secret" }), "deny", "what forbids looks everywhere");
});

test("SC-P2 a rule about a path holds for the file, however its path is written", () => {
  const rules: Rule[] = [
    { tool: "*", argument: "/workspace/keys/*", decision: "deny" },
    { tool: "*", argument: ".env", decision: "deny" },
    { tool: "*", argument: "/workspace/docs/*", decision: "allow" },
    { tool: "*", argument: "notes/*", decision: "allow" },
    { tool: "*", decision: "ask" },
  ];
  const of = (args: object, name = "edit") => ruleFor(rules, { name, arguments: args as never }, "write")?.decision;
  for (const path of ["/workspace/docs/a", "docs/a", "./docs//a", "notes/a", "/workspace/notes/a"])
    assert.equal(of({ file_path: path }), "allow", path);
  for (const path of [
    "/workspace/docs/../src/a",
    "docs/../src/a",
    "/workspace/docs/..",
    "notes/link/../../a",
    "/workspace/docsx/a",
    "/notes/a",
  ])
    assert.equal(of({ file_path: path }), "ask", path);
  for (const path of [
    "keys/a",
    "./keys/a",
    "/workspace//keys/a",
    "docs/../keys/a",
    "/workspace/docs/../keys/a",
    "/etc/../workspace/keys/a",
  ])
    assert.equal(of({ file_path: path }), "deny", path);
  for (const path of [".env", "./.env", "/workspace/.env", "docs/../.env"]) assert.equal(of({ path }, "grep"), "deny", path);
  assert.equal(of({ command: "ls", workdir: "docs/../keys/x" }, "bash"), "deny");
});

test("SC-P2 a rule that allows a command does not let it make another of its own text", () => {
  const rules: Rule[] = [{ tool: "bash", argument: "echo *", decision: "allow" }];
  const of = (command: string) => ruleFor(rules, { name: "bash", arguments: { command } }, "execute")?.decision;
  for (const command of ["echo a b", "echo $HOME", "echo 'a' \"b\"", "echo costs 5$", "echo a $ b"])
    assert.equal(of(command), "allow", command);
  const hidden = [
    `\${x:=\\$\\(rm a\\)} \${x@P}`,
    "$[a[0]]",
    "$((a))",
    "'a[$''(rm a)]'",
    '"a[$""(rm a)]"',
    "$'\\x60rm a\\x60'",
    "$$(rm a)",
    "<<x",
    "a\r\nrm a",
  ];
  for (const text of hidden) assert.equal(of(`echo ${text}`), undefined, text);
});

test("a rule of tool, kind and argument fits only where all three do; the order decides among those that overlap", () => {
  const rules: Rule[] = [
    { tool: "mcp__*", risk: ["read", "network"], argument: "*prod*", decision: "deny" },
    { tool: "mcp__db__*", decision: "allow" },
    { tool: "mcp__*__*", decision: "ask" },
  ];
  const of = (name: string, args: object, risk: "read" | "execute") => ruleFor(rules, { name, arguments: args as never }, risk)?.decision;
  assert.equal(of("mcp__db__q", { sql: "select from prod" }, "read"), "deny");
  assert.equal(of("mcp__db__q", { sql: "select from prod" }, "execute"), "allow");
  assert.equal(of("mcp__db__q", { nested: [{ at: "prod" }] }, "read"), "deny");
  assert.equal(of("mcp__db__q", { prod: "key" }, "read"), "allow", "keys are not looked at");
  assert.deepEqual(
    [of("mcp__web__q", {}, "read"), of("mcp__web", {}, "read"), of("MCP__db__q", {}, "read")],
    ["ask", undefined, undefined],
  );
});

test("TLS-8 a call that a rule forbids does not run, whatever a listener says, and nobody is asked", async (t) => {
  const host = { "permission-rules": { rules: [{ tool: "risky", decision: "deny" as const, reason: "not here" }] } };
  const { agent, say, runs, prompts } = await waitingAgent(t, { host });
  agent.ctx.on("tools/pre-execute", async () => ({ kind: "allow" }));
  say("go");
  await agent.whenIdle();
  assert.deepEqual([runs, prompts, ends(agent)], [[], [], ["completed"]]);
  assert.match(results(agent)[0] ?? "", /a rule of this organisation forbids this call: not here/);
});

test("a rule that asks does so once, and does not undo what another policy refused", async (t) => {
  const { agent, say, runs, prompts } = await waitingAgent(t);
  agent.ctx.on("tools/pre-execute", async () => ({ kind: "deny", reason: "another policy" }));
  say("go");
  await agent.whenIdle();
  assert.deepEqual([runs, prompts, outcomes(agent)], [[], [], []]);
  assert.match(results(agent)[0] ?? "", /another policy/);
});

test("a layer's rules are checked as they are stored; the shipped row has none", () => {
  assert.deepEqual(Config.parse({}), { rules: [] });
  const compose = (rules: unknown) => {
    const layer = readLayer("org", "org", { data: [{ id: "permission-rules", config: { rules } }] });
    return composeOrg({ providers: [], facts: {}, layers: [layer] });
  };
  assert.deepEqual(compose([{ tool: "*", decision: "ask" }]).problems, []);
  assert.ok(compose([{ tool: "*", decision: "maybe" }]).problems.length > 0);
  assert.ok(compose([{ tool: "", decision: "ask" }]).problems.length > 0);
});
