import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { RunResult } from "@gantry/sandbox/seams";
import { globArgv, grepArgv } from "../src/fs-search/argv.ts";
import { type GlobValue, renderGlob } from "../src/fs-search/glob-value.ts";
import { parseMatches, preview } from "../src/fs-search/grep-records.ts";
import { renderGrep } from "../src/fs-search/grep-value.ts";
import { globMeta, grepMeta } from "../src/fs-search/meta.ts";
import { shownPath } from "../src/fs-search/paths.ts";
import { searchOutput } from "../src/fs-search/ripgrep.ts";
import { toolFsSearch } from "../src/index.ts";
import { testAgent } from "./support/agent.ts";
import { call, textOf } from "./support/calls.ts";
import { noWorld } from "./support/no-world.ts";
import { openRoot } from "./support/root.ts";

const root = await openRoot();
after(() => root.close());
await root.mount(noWorld);

const sampling = { maxPaths: 100, sampleOverCapGlobResults: true };
const many = (folder: string, count: number) => Array.from({ length: count }, (_, index) => `${folder}/${index}.ts`);
const globbed = (paths: string[], searchRoot = "."): GlobValue => ({ root: searchRoot, cwd: "/workspace", paths });
const stream = (text: string, truncated = false) => ({ text, truncated });
const ended = (end: Partial<RunResult>): RunResult => ({
  exitCode: 0,
  signal: null,
  timedOut: false,
  aborted: false,
  outOfMemory: false,
  stdout: stream(""),
  stderr: stream(""),
  ...end,
});
const codeOf = (end: Partial<RunResult>) => {
  try {
    searchOutput(ended(end), { maxRawBytes: 20_000_000 });
    return "ok";
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

test("EX-198 model values ride behind = or --, so dashes and metacharacters stay text", () => {
  const excluded = [".git", ".svn", ".hg", ".bzr", ".jj", ".sl"].flatMap((name) => [`--glob=!**/${name}`, `--glob=!**/${name}/**`]);
  assert.deepEqual(globArgv("/rg", "-x*", "-e"), [
    "/rg",
    "--no-config",
    "--files",
    "--glob=-x*",
    "--sort=modified",
    "--no-ignore",
    "--hidden",
    ...excluded,
    "--",
    "-e",
  ]);
  assert.deepEqual(grepArgv("/rg", "$(touch x)", { include: "*.ts", path: "--files" }), [
    "/rg",
    "--no-config",
    "--json",
    "--regexp=$(touch x)",
    "--glob=*.ts",
    "--",
    "--files",
  ]);
  assert.deepEqual(grepArgv("/rg", "x", {}), ["/rg", "--no-config", "--json", "--regexp=x"]);
});

test("EX-201 EX-202 exit codes and stderr decide between no match, a bad pattern and a failure", () => {
  assert.equal(searchOutput(ended({ exitCode: 1, stdout: stream("ignored") }), { maxRawBytes: 1 }), "");
  const filtered = ended({ exitCode: 2, stderr: stream("rg: No files were searched, which means …") });
  assert.equal(searchOutput(filtered, { maxRawBytes: 1 }), "");
  assert.equal(codeOf({ exitCode: 2, stderr: stream("rg: regex parse error:\n  (\n  ^") }), "SEARCH_INVALID_PATTERN");
  assert.equal(codeOf({ exitCode: 2, stderr: stream("rg: error parsing glob '{': unclosed") }), "SEARCH_INVALID_PATTERN");
  assert.equal(codeOf({ exitCode: 2, stderr: stream("rg: nope: No such file or directory (os error 2)") }), "SEARCH_FAILED");
  assert.throws(() => searchOutput(ended({ exitCode: 2 }), { maxRawBytes: 1 }), /exit code 2/);
  assert.throws(() => searchOutput(ended({ exitCode: 2, stderr: stream("half", true) }), { maxRawBytes: 1 }), /stderr truncated/);
  assert.equal(codeOf({ exitCode: null, signal: "SIGKILL" }), "SEARCH_FAILED");
  assert.equal(codeOf({ exitCode: null }), "SEARCH_FAILED");
  assert.equal(codeOf({ exitCode: null, signal: "SIGTERM", aborted: true }), "SEARCH_ABORTED");
});

test("EX-212 output beyond the raw cap is refused, never parsed in part", () => {
  assert.equal(codeOf({ stdout: stream("a\n", true) }), "SEARCH_RAW_OUTPUT_OVERFLOW");
});

test("EX-203 EX-206 up to the cap there is no footer; beyond it, without sampling, the head is kept", () => {
  assert.equal(renderGlob(globbed([]), sampling), "No files found");
  assert.equal(renderGlob(globbed(many("src", 100)), sampling).split("\n").length, 100);
  const text = renderGlob(globbed(many("src", 101)), { ...sampling, sampleOverCapGlobResults: false });
  assert.ok(text.startsWith("src/0.ts\nsrc/1.ts\n"));
  assert.match(text, /\n\n\(Showing 100 of 101 paths\. The rest could not be saved; .+\)$/);
});

test("a sample gives every top-level entry a place before any a second, grouped in the order of the list", () => {
  const text = renderGlob(globbed([...many("big", 300), "one/a.ts", ...many("mid", 60), "top.ts"]), sampling);
  const [body = "", footer = ""] = text.split("\n\n");
  const groups = body.split("\n").map((path) => path.split("/")[0] ?? "");
  const counts = new Map<string, number>();
  for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1);
  assert.deepEqual(
    [...counts],
    [
      ["big", 49],
      ["one", 1],
      ["mid", 49],
      ["top.ts", 1],
    ],
  );
  assert.deepEqual(
    groups,
    [...groups].sort((a, b) => [...counts.keys()].indexOf(a) - [...counts.keys()].indexOf(b)),
  );
  assert.match(footer, /^\(Showing 100 of 362 paths, sampled across 4 of the 4 top-level entries\. The rest/);
});

test("more entries than places advise a narrower path; a flat result keeps the plain footer", () => {
  const wide = Array.from({ length: 150 }, (_, index) => [`d${index}/a.ts`, `d${index}/b.ts`]).flat();
  assert.match(renderGlob(globbed(wide), sampling), /sampled across 100 of the 150 top-level entries\. Give a narrower path/);
  const flat = Array.from({ length: 150 }, (_, index) => `${index}.ts`);
  assert.match(renderGlob(globbed(flat), sampling), /\(Showing 100 of 150 paths\. /);
});

test("EX-205 entries are those below the search root, whether it is relative or absolute", () => {
  const paths = [...many("src/a", 150), ...many("src/b", 150)];
  for (const searchRoot of ["src", "/workspace/src", "./src/"]) {
    assert.match(renderGlob(globbed(paths, searchRoot), sampling), /across 2 of the 2 top-level entries/);
  }
});

test("100,001 top-level entries do not overflow anything", () => {
  const wide = Array.from({ length: 100_001 }, (_, index) => `d${index}/a.ts`).concat("d0/b.ts");
  assert.match(renderGlob(globbed(wide), sampling), /sampled across 100 of the 100001/);
});

test("paths inside the workspace are shown relative, others as they are", () => {
  assert.deepEqual(
    ["./a/b.ts", "a.ts", "/workspace/x.ts", "/etc/passwd", "../up.ts"].map((path) => shownPath(path, "/workspace")),
    ["a/b.ts", "a.ts", "x.ts", "/etc/passwd", "../up.ts"],
  );
});

const record = (path: string, line: string, number = 1) =>
  JSON.stringify({ type: "match", data: { path: { text: path }, lines: { text: line }, line_number: number, submatches: [] } });

test("grep text: singular and plural, files apart by a blank line, capped with a way out", () => {
  const value = parseMatches([JSON.stringify({ type: "begin", data: {} }), record("a.ts", "x\n", 3), ""].join("\n"), "/workspace");
  assert.equal(renderGrep(value, 250), "Found 1 match\n\na.ts\nLine 3: x");
  const two = parseMatches([record("a.ts", "x\r\n", 3), record("./b.ts", "y\n", 1), record("a.ts", "z", 9)].join("\n"), "/workspace");
  assert.equal(renderGrep(two, 250), "Found 3 matches\n\na.ts\nLine 3: x\nLine 9: z\n\nb.ts\nLine 1: y");
  assert.match(renderGrep(two, 2), /^Found 2 of 3 matches\n\na\.ts\nLine 3: x\nLine 9: z\n\n\(The rest could not be saved/);
  assert.match(renderGrep(two, 2, { locator: "/s/1", hint: "Read it." }), /\n\n\(Full grep result stored at: \/s\/1\. Read it\.\)$/);
  assert.equal(renderGrep(parseMatches("", "/workspace"), 250), "No matches found");
});

test("a long line is cut at a character, and one that is no UTF-8 is named", () => {
  assert.equal(preview("é".repeat(1000)), "é".repeat(1000));
  assert.equal(preview(`a${"é".repeat(1000)}\n`), `a${"é".repeat(999)} (line truncated)`);
  const bytes = JSON.stringify({ type: "match", data: { path: { text: "a" }, lines: { bytes: "//8=" }, line_number: 1 } });
  assert.match(renderGrep(parseMatches(bytes, "/workspace"), 250), /Line 1: \(line is not valid UTF-8\)$/);
});

test("records that ripgrep would not write are SEARCH_FAILED", () => {
  for (const bad of ["{", '{"type":"match","data":{}}', '{"type":"match","data":{"path":{"text":"a"},"lines":{"text":"x"}}}']) {
    assert.throws(() => parseMatches(bad, "/workspace"), { code: "SEARCH_FAILED" });
  }
});

test("EX-214 card data is trimmed from the end to 65,536 bytes; one oversized file is kept", () => {
  const long = Array.from({ length: 100 }, (_, index) => `${"x".repeat(1000)}/${index}`);
  const meta = globMeta(globbed(long), sampling);
  assert.ok(Buffer.byteLength(JSON.stringify(meta)) <= 65_536 && meta.paths.length > 50 && meta.truncated && meta.total === 100);
  const matches = Array.from({ length: 40 }, (_, index) => ({ lineNumber: index + 1, line: "y".repeat(2000) }));
  const one = grepMeta(
    {
      total: 41,
      files: [
        { path: "a", matches },
        { path: "b", matches: matches.slice(0, 1) },
      ],
    },
    250,
  );
  assert.deepEqual([one.files.length, one.files[0]?.matches.length, one.truncated], [1, 40, true]);
  assert.deepEqual(globMeta(globbed([]), sampling), { shape: "paths", paths: [], total: 0, truncated: false });
});

test("the card's page is the text's page, sampled or not", () => {
  const value = globbed([...many("big", 300), "one/a.ts"]);
  for (const sampleOverCapGlobResults of [true, false]) {
    const display = { maxPaths: 100, sampleOverCapGlobResults };
    assert.equal(renderGlob(value, display).split("\n\n")[0], globMeta(value, display).paths.join("\n"));
  }
});

test("arguments: blank glob refused, white space legal for grep, include is one positive glob", async () => {
  const handle = await root.mount(toolFsSearch, { sampleOverCapGlobResults: true });
  const agent = testAgent();
  const text = async (name: string, args: object) => textOf(await call(root.ctx, name, args, { agent }));
  assert.match(await text("glob", { pattern: " " }), /pattern must not be blank/);
  assert.match(await text("glob", { pattern: "*", path: " " }), /path must not be blank/);
  assert.match(await text("grep", { pattern: "" }), /pattern must not be empty/);
  assert.match(await text("grep", { pattern: " " }), /no processes in this test/);
  for (const include of ["!*.ts", "*.ts,*.js", " "]) assert.match(await text("grep", { pattern: "x", include }), /include must/);
  assert.match(await text("grep", { pattern: "x", include: "*.{js,jsx}" }), /no processes in this test/);
  await handle.dispose();
});

test("a missing sampling choice, or budgets beyond the timer's range, fail the load", async () => {
  await assert.rejects(root.mount(toolFsSearch, {}), /sampleOverCapGlobResults/);
  await assert.rejects(
    root.mount(toolFsSearch, { sampleOverCapGlobResults: true, timeoutMs: 2_147_483_000, graceMs: 3_000 }),
    /2147483647/,
  );
});
