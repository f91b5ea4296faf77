import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { call } from "./support/calls.ts";
import { skip, useTools } from "./support/world.ts";

describe("searches at their edges", { skip }, () => {
  const tools = useTools();
  const text = (name: string, args: object) => tools.text(name, args);
  const code = async (name: string, args: object) => (await call(tools.root.ctx, name, args, { agent: tools.agent })).error?.code;
  const fresh = (command: string) => tools.shell(`cd /workspace && rm -rf ./* ./.[!.]* && ${command}`);

  test("§12.3 CRLF and a last line without an end are shown bare; a match is a line, however often it matches; what is not UTF-8 says so", async () => {
    await fresh(
      "printf 'needle one\\r\\nhay\\nneedle needle' > a.txt && printf 'needle \\xff\\n' > bad.txt && printf 'x\\0needle\\n' > bin",
    );
    assert.equal(
      await text("grep", { pattern: "needle", path: "a.txt" }),
      "Found 2 matches\n\na.txt\nLine 1: needle one\nLine 3: needle needle",
    );
    assert.match(await text("grep", { pattern: "needle", path: "bad.txt" }), /Line 1: \(line is not valid UTF-8\)/);
    assert.equal(await text("grep", { pattern: "needle", path: ".", include: "bin" }), "No matches found");
    assert.equal(await text("grep", { pattern: "^hay$" }), "Found 1 match\n\na.txt\nLine 2: hay");
  });

  test("§12.3 white space is a pattern, nothing is none; lists and negations are no include, braces are one", async () => {
    await fresh("printf 'a b\\nab\\n' > f.ts && cp f.ts f.js && cp f.ts f.md");
    assert.match(await text("grep", { pattern: " ", path: "f.ts" }), /Found 1 match/);
    assert.match(await text("grep", { pattern: "" }), /^Error: pattern must not be empty/);
    assert.match(await text("grep", { pattern: " ", include: "*.{ts,js}" }), /Found 2 matches/);
    for (const include of ["*.ts,*.js", "!*.ts", " ", "{a,b},c"])
      assert.match(await text("grep", { pattern: "a", include }), /^Error: include/, include);
    for (const path of ["", "  "]) {
      assert.match(await text("grep", { pattern: "a", path }), /^Error: path must not be blank/);
      assert.match(await text("glob", { pattern: "*", path }), /^Error: path must not be blank/);
    }
    assert.match(await text("glob", { pattern: " " }), /^Error: pattern must not be blank/);
  });

  test("§12.1 inside the workspace paths are relative however the root was given; outside they stay as they are", async () => {
    await fresh("mkdir -p deep/er && echo needle > deep/er/f && rm -rf /tmp/out && mkdir /tmp/out && echo needle > /tmp/out/g");
    for (const path of ["deep", "./deep", "deep/", "/workspace/deep", "deep/../deep", "deep/er/f"]) {
      assert.equal(await text("glob", { pattern: "f", path }), "deep/er/f", path);
      assert.equal(await text("grep", { pattern: "needle", path }), "Found 1 match\n\ndeep/er/f\nLine 1: needle", path);
    }
    assert.equal(await text("glob", { pattern: "*", path: "/tmp/out" }), "/tmp/out/g");
    assert.match(await text("grep", { pattern: "needle", path: "/tmp/out" }), /\n\/tmp\/out\/g\n/);
    assert.equal(await code("glob", { pattern: "*", path: "nowhere" }), "SEARCH_FAILED");
  });

  test("names in any script, with spaces, quotes and dashes, are found and shown as they are; links are not followed", async () => {
    const names = ["ünï 漢🦊.txt", "-dash.txt", 'it\'s "quoted".txt', "tab\there.txt", "e\u0301.txt"];
    await fresh("mkdir real && echo needle > real/in.txt && ln -s real link && ln -s real/in.txt alias.txt");
    for (const name of names) await call(tools.root.ctx, "write", { file_path: name, content: "needle\n" }, { agent: tools.agent });
    const found = (await text("glob", { pattern: "*.txt" })).split("\n");
    assert.deepEqual(found.sort(), [...names, "real/in.txt"].sort());
    const grepped = await text("grep", { pattern: "needle" });
    for (const name of names) assert.ok(grepped.includes(`\n${name}\nLine 1: needle`), name);
    assert.ok(!grepped.includes("link/") && !grepped.includes("alias.txt"));
    assert.match(await text("grep", { pattern: "needle", path: "link" }), /link\/in\.txt/);
  });

  test("§12.3 a line of more than 2,000 bytes is cut between characters; exactly 2,000 are whole", async () => {
    await fresh("printf 'n%.0s' $(seq 2000) > exact && printf 'n%.0s' $(seq 1999) > wide && printf '🦊tail' >> wide");
    assert.match(await text("grep", { pattern: "n+", path: "exact" }), /\nLine 1: n{2000}$/);
    assert.match(await text("grep", { pattern: "n+", path: "wide" }), /\nLine 1: n{1999} \(line truncated\)$/);
  });

  test("§12.3 250 matches are all shown, 251 not; one file with all of them keeps its lines in order", async () => {
    await fresh("seq 250 > all && seq 251 > more");
    assert.doesNotMatch(await text("grep", { pattern: "^", path: "all" }), /of \d+ matches|could not be saved/);
    const capped = await text("grep", { pattern: "^", path: "more" });
    assert.match(capped, /^Found 250 of 251 matches\n\nmore\nLine 1: 1\nLine 2: 2\n/);
    assert.match(capped, /\nLine 250: 250\n\n\(/);
  });

  test("a folder without permission, an empty workspace and a pattern that matches nothing are told apart", async () => {
    await fresh("true");
    assert.equal(await text("glob", { pattern: "*" }), "No files found");
    assert.equal(await text("grep", { pattern: "x" }), "No matches found");
    await tools.shell("echo x > f");
    assert.equal(await text("glob", { pattern: "*.none" }), "No files found");
    assert.equal(await text("grep", { pattern: "none" }), "No matches found");
    assert.equal(await text("grep", { pattern: "x", include: "*.none" }), "No matches found");
    await tools.shell("mkdir closed && chmod 000 closed");
    assert.equal(await code("glob", { pattern: "*" }), "SEARCH_FAILED");
    await tools.shell("chmod 755 closed && rmdir closed");
  });
});
