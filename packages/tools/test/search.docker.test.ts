import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Context } from "@gantry/kernel";
import { toolFsSearch } from "../src/index.ts";
import { call, textOf } from "./support/calls.ts";
import { skip, useTools } from "./support/world.ts";

describe("glob and grep in a world", { skip }, () => {
  const tools = useTools();
  const outcome = (name: string, args: object) => call(tools.root.ctx, name, args, { agent: tools.agent });
  const text = (name: string, args: object) => tools.text(name, args);
  const codeOf = async (name: string, args: object) => (await outcome(name, args)).error?.code;

  test("EX-199 glob finds hidden and ignored files, oldest first, and never what is in version-control folders", async () => {
    await tools.shell(
      "git init -q . && mkdir -p src .hidden && echo '*.log' > .gitignore && touch -d '2001-01-01' src/b.log && touch -d '2002-01-01' .hidden/c.log && touch -d '2003-01-01' a.log && touch .git/in.log",
    );
    assert.equal(await text("glob", { pattern: "*.log" }), "src/b.log\n.hidden/c.log\na.log");
    assert.equal(await text("glob", { pattern: "*", path: ".git" }), "No files found");
    assert.equal(await text("glob", { pattern: "*.log", path: "/workspace/src" }), "src/b.log");
    assert.equal(await text("glob", { pattern: "src/*" }), "src/b.log");
    assert.equal(await text("glob", { pattern: "*.none" }), "No files found");
  });

  test("EX-198 leading dashes and shell text are only text", async () => {
    await tools.shell("mkdir -p dash && printf -- '--files $(touch pwned)\\n' > dash/-x.txt");
    assert.equal(await text("glob", { pattern: "-x*" }), "dash/-x.txt");
    assert.equal(await text("grep", { pattern: "--files" }), "Found 1 match\n\ndash/-x.txt\nLine 1: --files $(touch pwned)");
    assert.match(await text("grep", { pattern: "$(touch pwned)" }), /No matches found/);
    assert.equal(await text("glob", { pattern: "pwned" }), "No files found");
    assert.equal(await codeOf("grep", { pattern: "x", path: "-e" }), "SEARCH_FAILED");
  });

  test("grep respects ignore files, skips hidden and binary ones, and takes a file as its path", async () => {
    await tools.shell("echo needle > seen.txt; echo needle > ignored.log; echo needle > .secret; printf 'needle\\0' > blob");
    assert.equal(await text("grep", { pattern: "needle" }), "Found 1 match\n\nseen.txt\nLine 1: needle");
    assert.equal(await text("grep", { pattern: "needle", path: "ignored.log" }), "Found 1 match\n\nignored.log\nLine 1: needle");
    assert.equal(await text("grep", { pattern: "needle", include: "*.md" }), "No matches found");
    assert.equal((await outcome("grep", { pattern: "needle", path: "/workspace/seen.txt" })).isError, false);
  });

  test("EX-201 an invalid pattern and a missing path have their codes", async () => {
    assert.equal(await codeOf("grep", { pattern: "(" }), "SEARCH_INVALID_PATTERN");
    assert.equal(await codeOf("glob", { pattern: "{a" }), "SEARCH_INVALID_PATTERN");
    assert.equal(await codeOf("grep", { pattern: "x", path: "nowhere" }), "SEARCH_FAILED");
    assert.equal(await codeOf("glob", { pattern: "*", path: "nowhere" }), "SEARCH_FAILED");
  });

  test("EX-203 EX-208 101 paths and 251 matches show their caps; without a store the rest could not be saved", async () => {
    await tools.shell("mkdir -p cap/d1 cap/d2 && (cd cap && touch d1/f{1..100}.ts) && seq 1 251 > cap/lines.txt");
    assert.doesNotMatch(await text("glob", { pattern: "*.ts" }), /Showing/);
    await tools.shell("touch cap/d2/one.ts");
    const listed = await outcome("glob", { pattern: "*.ts", path: "cap" });
    assert.match(textOf(listed), /\(Showing 100 of 101 paths, sampled across 2 of the 2 top-level entries\. The rest could not be saved/);
    assert.match(textOf(listed), /^cap\/d2\/one\.ts$/m);
    const found = await outcome("grep", { pattern: "\\d", path: "cap/lines.txt" });
    assert.match(textOf(found), /^Found 250 of 251 matches\n[\s\S]*Line 250: 250\n\n\(The rest could not be saved/);
    assert.deepEqual([(listed.meta as { total: number }).total, (found.meta as { truncated: boolean }).truncated], [101, true]);
  });

  test("an over-cap result goes to the spill store when there is one, unless another policy replaced it (EX-208)", async () => {
    const saved: { suggestedName: string; content: string }[] = [];
    const store = {
      name: "spill-store",
      apply: (ctx: Context) =>
        void ctx.provide("spill", {
          async saveText({ suggestedName, content }) {
            saved.push({ suggestedName, content });
            return { locator: "/spill/1", hint: "Read it with read." };
          },
        }),
    };
    const handle = await tools.root.mount(store);
    await tools.shell("mkdir -p spill && (cd spill && touch f{1..150}.ts)");
    assert.match(
      await text("glob", { pattern: "*.ts", path: "spill" }),
      /\(Showing 100 of 150 paths\. Full list stored at: \/spill\/1\. Read it with read\.\)$/,
    );
    assert.deepEqual([saved[0]?.suggestedName, saved[0]?.content.split("\n").length], ["glob-results.txt", 150]);
    const undo = tools.root.ctx.on("tools/post-execute", () =>
      Promise.resolve({ kind: "accept", content: [{ type: "text", text: "replaced" }] }),
    );
    assert.equal(await text("glob", { pattern: "*.ts", path: "spill" }), "replaced");
    assert.equal(saved.length, 1);
    await Promise.all([undo(), handle.dispose()]);
  });
});

describe("searches under other settings", { skip }, () => {
  const tools = useTools({ without: "tool-fs-search" });
  const base = { sampleOverCapGlobResults: true };

  test("EX-215 without ripgrep the plugin loads and every call fails with SEARCH_FAILED", async () => {
    const handle = await tools.root.mount(toolFsSearch, { ...base, rgPath: "/opt/nowhere/rg" });
    for (const name of ["glob", "grep"]) {
      const outcome = await call(tools.root.ctx, name, { pattern: "x" }, { agent: tools.agent });
      assert.equal(outcome.error?.code, "SEARCH_FAILED");
    }
    await handle.dispose();
  });

  test("EX-212 more raw output than the cap is an overflow", async () => {
    const handle = await tools.root.mount(toolFsSearch, { ...base, maxRawBytes: 100 });
    await tools.shell("touch long-name-{1..20}.ts");
    const outcome = await call(tools.root.ctx, "glob", { pattern: "*.ts" }, { agent: tools.agent });
    assert.equal(outcome.error?.code, "SEARCH_RAW_OUTPUT_OVERFLOW");
    await handle.dispose();
  });
});
