import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { CallCard, type Json, ResultCard } from "@gantry/contracts";
import { presentCall, presentResult } from "../src/present/index.ts";

const names = ["bash", "read", "write", "edit", "glob", "grep", "todo_write", "no_such_tool"];
const bash = JSON.stringify({ command: "npm test", description: "Run the tests", workdir: "web" });

test("EX-010 EX-058 malformed arguments, results and meta give no view and never throw", () => {
  for (const name of names) {
    for (const raw of [
      "",
      "{",
      "null",
      "7",
      "[]",
      '{"command":4}',
      '{"file_path":null}',
      '{"pattern":[]}',
      '{"todos":{}}',
      '{"command":"ls"}',
    ]) {
      assert.equal(presentCall(name, raw), null, `${name} ${raw}`);
      for (const meta of [undefined, null, [], { shape: "paths" }, { hunks: [{}] }] as (Json | undefined)[]) {
        assert.doesNotThrow(() => presentResult(name, raw, "text", meta, false));
      }
    }
  }
});

test("every card is one of the contract's", () => {
  const calls: [string, object][] = [
    ["bash", { command: "ls", description: "x" }],
    ["bash", { command: "ls", description: "x", run_in_background: true }],
    ["read", { file_path: "a.ts" }],
    ["write", { file_path: "a.ts", content: "" }],
    ["edit", { file_path: "a.ts", old_string: "", new_string: "b" }],
    ["glob", { pattern: "*" }],
    ["grep", { pattern: "x" }],
    ["todo_write", { todos: [{ content: "a", status: "pending" }] }],
  ];
  for (const [name, args] of calls) assert.ok(CallCard.safeParse(presentCall(name, JSON.stringify(args))).success, name);
});

test("titles of reads and searches name their range, folder and filter", () => {
  const title = (name: string, args: object) => presentCall(name, JSON.stringify(args))?.title;
  assert.equal(title("read", { file_path: "a.ts" }), "Read a.ts");
  assert.equal(title("read", { file_path: "a.ts", offset: 5 }), "Read a.ts (from line 5)");
  assert.equal(title("read", { file_path: "a.ts", offset: 5, limit: 10 }), "Read a.ts (5 - 14)");
  assert.equal(title("glob", { pattern: "*.ts", path: "src" }), "Glob *.ts in src");
  assert.equal(title("grep", { pattern: "foo", path: "src", include: "*.ts" }), "Grep foo in src (*.ts)");
});

test("EX-057 the ending becomes a pill, from meta or from the end of the text; the middle of the text is never read", () => {
  const card = (text: string, meta?: Json) => presentResult("bash", bash, text, meta, false);
  assert.deepEqual(card("(no output)\n[exit code: 3]"), { card: "terminal", output: "(no output)", exitCode: 3 });
  assert.deepEqual(card("out\n[timed out after 200ms]\n[killed by signal: SIGTERM]"), {
    card: "terminal",
    output: "out\n[timed out after 200ms]",
    signal: "SIGTERM",
  });
  assert.deepEqual(card("saw [exit code: 5] there\n"), { card: "terminal", output: "saw [exit code: 5] there\n", exitCode: 0 });
  assert.deepEqual(card("[exit code: 5]"), { card: "terminal", output: "[exit code: 5]", exitCode: 0 });
  const printed = "printed\n[exit code: 5]";
  assert.deepEqual(card(printed, { exitCode: 0, signal: null }), { card: "terminal", output: printed, exitCode: 0 });
  assert.deepEqual(card("out\n[exit code: 5]", { exitCode: 5, signal: null }), { card: "terminal", output: "out", exitCode: 5 });
  assert.deepEqual(presentResult("bash", bash, "Error: no", undefined, true), { card: "generic", text: "Error: no", format: "console" });
});

test("a read card needs the envelope and lines in order", () => {
  const text = "<path>a.ts</path>\n<type>file</type>\n<content>\n1: a\n\n(End of file - total 1 lines)\n</content>";
  const meta = { path: "a.ts", offset: 1, lines: [{ number: 1, text: "a" }], totalLines: 1, lang: "typescript" };
  const card = (shown: string, data: Json) => presentResult("read", '{"file_path":"a.ts"}', shown, data, false);
  assert.ok(ResultCard.safeParse(card(text, meta)).success);
  assert.equal(card("spilled", meta), null);
  assert.equal(card(text, { ...meta, lines: [{ number: 2, text: "a" }] }), null);
  assert.equal(card(text, { ...meta, totalLines: 0 }), null);
});

test("EX-164 EX-166 EX-167 one diff a hunk; a write without usable hunks shows the whole file, an edit shows nothing", () => {
  const hunks = [
    { startLine: 1, oldText: "a", newText: "b" },
    { startLine: 40, oldText: "a", newText: "b" },
  ];
  const meta = { path: "a.ts", operation: "update", hunks };
  const write = (data?: Json) => presentResult("write", '{"file_path":"a.ts","content":"new"}', "", data, false);
  const edit = (data?: Json, isError = false) =>
    presentResult("edit", '{"file_path":"a.ts","old_string":"a","new_string":"b"}', "", data, isError);
  const diffs = hunks.map((hunk) => ({ path: "a.ts", ...hunk }));
  assert.deepEqual(
    [write(meta), edit(meta)],
    [
      { card: "diff", diffs },
      { card: "diff", diffs },
    ],
  );
  const whole = { card: "diff", diffs: [{ path: "a.ts", oldText: null, newText: "new" }] };
  for (const bad of [undefined, { path: "a.ts", operation: "update" }, { path: "a.ts", hunks: "none" }] as (Json | undefined)[]) {
    assert.deepEqual([write(bad), edit(bad)], [whole, null]);
  }
  assert.equal(edit(meta, true), null);
});

test("EX-214 a search card comes from valid meta only", () => {
  const paths = { shape: "paths", paths: ["a"], total: 1, truncated: false };
  const files = [{ path: "a", matches: [{ lineNumber: 1, line: "x" }] }];
  assert.deepEqual(presentResult("glob", '{"pattern":"*"}', "", paths, false), { card: "search", ...paths });
  assert.deepEqual(presentResult("grep", '{"pattern":"x"}', "", { shape: "matches", files, total: 1, truncated: false }, false), {
    card: "matches",
    files,
    total: 1,
    truncated: false,
  });
  assert.equal(presentResult("grep", '{"pattern":"x"}', "", { shape: "matches", files: "a", total: 1, truncated: false }, false), null);
});

test("presenters import nothing but the contracts, zod and each other, so that a browser can load them", async () => {
  const folder = new URL("../src/present/", import.meta.url);
  for (const file of await readdir(folder)) {
    const imports = [...(await readFile(new URL(file, folder), "utf8")).matchAll(/from "([^"]+)"/g)].map((match) => match[1] ?? "");
    for (const source of imports) assert.match(source, /^(@gantry\/contracts|zod|\.\/[a-z-]+\.ts)$/, `${file} imports ${source}`);
  }
});
