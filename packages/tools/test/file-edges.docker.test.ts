import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { call, textOf } from "./support/calls.ts";
import { skip, useTools } from "./support/world.ts";

describe("files at their edges", { skip }, () => {
  const tools = useTools();
  const run = (name: string, args: object) => call(tools.root.ctx, name, args, { agent: tools.agent });
  const read = (file_path: string, more: object = {}) => tools.text("read", { file_path, ...more });
  const code = async (name: string, args: object) => (await run(name, args)).error?.code;
  /** Bytes of a file, as hex. */
  const hex = async (path: string) => (await tools.shell(`od -An -v -tx1 '${path}' | tr -d ' \\n'`)).trim();

  test("EX-170 a relative path starts at the session's folder, and what follows a link goes up from where the link leads, as in the shell", async () => {
    await tools.shell("mkdir -p far/inner && ln -sfn far/inner near && echo far > far/x && echo top > x");
    assert.equal((await tools.shell("cat near/../x")).trim(), "far");
    assert.match(await read("near/../x"), /\n1: far\n/);
    assert.match(await read("far/../x"), /\n1: top\n/);
    assert.match(await read("nowhere/../x"), /does not exist|1: top/);
    assert.match(await tools.text("write", { file_path: "near/../new", content: "n" }), /Created file/);
    assert.equal((await tools.shell("cat far/new")).trim(), "n");
    const { world } = tools;
    await world.fs.writeText(await world.fs.resolve("../sibling", "/workspace/near"), "s");
    assert.equal((await tools.shell("cat far/sibling")).trim(), "s");
  });

  test("EX-157 a byte order mark, a lone CR and form feeds are characters of their line; CRLF ends one; a last line without an end counts", async () => {
    await tools.shell("printf '\\xef\\xbb\\xbfone\\r\\ntwo\\rstill two\\n\\fthree' > marks");
    assert.match(await read("marks"), /\n1: \ufeffone\n2: two\rstill two\n3: \fthree\n\n\(End of file - total 3 lines\)/);
    await tools.shell("printf '\\n' > newline && printf '\\n\\n' > newlines && printf '\\r\\n' > crlf");
    assert.match(await read("newline"), /<content>\n1: \n\n\(End of file - total 1 lines\)/);
    assert.match(await read("newlines"), /<content>\n1: \n2: \n\n\(End of file - total 2 lines\)/);
    assert.match(await read("crlf"), /<content>\n1: \n\n\(End of file - total 1 lines\)/);
  });

  test("EX-158 a line is cut between characters, and the cut never leaves half of one", async () => {
    const line = `${"x".repeat(1_999)}🦊tail`;
    await run("write", { file_path: "fox", content: line });
    const text = await read("fox");
    assert.ok(text.isWellFormed());
    assert.match(text, /x\.\.\. \(line truncated to 2000 chars\)/);
    await run("write", { file_path: "exact", content: "y".repeat(2_000) });
    assert.doesNotMatch(await read("exact"), /truncated/);
  });

  test("EX-156 the window ends before its 51,200 bytes are exceeded, in bytes and not in characters", async () => {
    // 50 lines of 1,023 bytes with 49 separators are 51,199 bytes
    const fits = `${"é".repeat(511)}a\n`;
    await run("write", { file_path: "bytes", content: `${fits.repeat(50)}zz\n` });
    assert.match(await read("bytes"), /\(Output capped\. Showing lines 1-50\. Use offset=51 to continue\.\)/);
    assert.match(await read("bytes", { limit: 50 }), /\(Showing lines 1-50 of 51\. Use offset=51 to continue\.\)/);
  });

  test("EX-163 a byte order mark, CRLF and odd names survive a write and an edit byte for byte", async () => {
    await tools.shell("printf '\\xef\\xbb\\xbfa\\r\\nb\\r\\n' > bom.txt");
    await read("bom.txt");
    assert.match(await tools.text("edit", { file_path: "bom.txt", old_string: "a\nb", new_string: "a\nc\nb" }), /Updated/);
    assert.equal(await hex("bom.txt"), "efbbbf610d0a630d0a620d0a");
    for (const name of ["ünï \u200b.txt", "-n", "a'b\"c", "$(touch pwned)", "e\u0301.txt", "new\nline"]) {
      assert.match(await tools.text("write", { file_path: name, content: "x\n" }), /Created file/, name);
      assert.match(await read(name), /\n1: x\n/, name);
      assert.match(await tools.text("edit", { file_path: name, old_string: "x", new_string: "$&$1" }), /Updated/, name);
      assert.match(await read(name), /\n1: \$&\$1\n/, name);
    }
    assert.doesNotMatch(await tools.shell("ls"), /pwned$/m);
  });

  test("EX-165 overlaps are counted once from the left; an edit that would join what it makes does not run again; empty takes away", async () => {
    await run("write", { file_path: "aaa", content: "aaaa aaa" });
    assert.equal(await code("edit", { file_path: "aaa", old_string: "aa", new_string: "b" }), "FS_AMBIGUOUS_EDIT");
    assert.match(textOf(await run("edit", { file_path: "aaa", old_string: "aa", new_string: "b" })), /\b3\b/);
    await run("edit", { file_path: "aaa", old_string: "aa", new_string: "a", replace_all: true });
    assert.match(await read("aaa"), /\n1: aa aa\n/);
    await run("edit", { file_path: "aaa", old_string: " aa", new_string: "" });
    assert.match(await read("aaa"), /\n1: aa\n/);
    assert.match(textOf(await run("edit", { file_path: "aaa", old_string: "aa", new_string: "aa" })), /^Error: .*same/);
    assert.equal(await code("edit", { file_path: "aaa", old_string: "AA", new_string: "b" }), "FS_EDIT_NOT_FOUND");
    await tools.shell("printf 'x' > binary && printf 'a%.0s' $(seq 9000) >> binary && printf '\\0' >> binary");
    await read("binary");
    assert.equal(
      await code("edit", { file_path: "binary", old_string: "x", new_string: "y" }),
      "FS_NOT_TEXT",
      "NUL counts anywhere in an edit",
    );
  });

  test("links are read and written through, loops and dangling ones are coded, and a folder's permissions are told as such", async () => {
    await tools.shell("echo real > real && ln -sfn real link && ln -sfn loop loop && ln -sfn gone dangling");
    assert.match(await read("link"), /\n1: real\n/);
    assert.match(await tools.text("write", { file_path: "link", content: "through\n" }), /Updated file/);
    assert.equal(await tools.shell("cat real && test -L link && echo link"), "through\nlink\n");
    assert.equal(await code("read", { file_path: "loop" }), "FS_IO_ERROR");
    assert.equal(await code("read", { file_path: "dangling" }), "FS_NOT_FOUND");
    assert.equal(await code("write", { file_path: "dangling", content: "x" }), "FS_NOT_REGULAR_FILE");
    await tools.shell("mkdir -p closed && echo s > closed/s && chmod 000 closed && echo t > mute && chmod 000 mute");
    assert.equal(await code("read", { file_path: "closed/s" }), "FS_PERMISSION_DENIED");
    assert.equal(await code("write", { file_path: "closed/t", content: "x" }), "FS_PERMISSION_DENIED");
    assert.equal(await code("read", { file_path: "mute" }), "FS_PERMISSION_DENIED");
    assert.equal(await code("read", { file_path: "real/x" }), "FS_NOT_DIRECTORY");
    assert.equal(await code("write", { file_path: "real/x", content: "x" }), "FS_NOT_DIRECTORY");
    assert.equal(await code("write", { file_path: "/", content: "x" }), "FS_SANDBOX_DENIED");
    await tools.shell("chmod 755 closed");
  });

  test("EX-310 a write that is stopped while it is published leaves the old file or the new one, whole, and nothing beside it", async () => {
    const [old, fresh] = ["o".repeat(900_000), "n".repeat(900_000)];
    const agent = tools.agent;
    const seen = new Set<string>();
    await tools.shell("mkdir -p pub");
    for (let turns = 0; turns < 24; turns++) {
      await tools.shell(`head -c 900000 /dev/zero | tr '\\0' o > pub/f`);
      await read("pub/f");
      const caller = new AbortController();
      const writing = call(tools.root.ctx, "write", { file_path: "pub/f", content: fresh }, { agent, signal: caller.signal });
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      caller.abort();
      const { error } = await writing;
      const now = await tools.shell("cat pub/f");
      assert.ok(now === old || now === fresh, `${now.length} characters after ${turns} turns`);
      assert.ok(error?.code === "ABORTED" || error?.code === "ABORTED_BEFORE_DISPATCH" || error?.code === "FS_ABORTED" || now === fresh);
      seen.add(now.slice(0, 1));
      assert.equal((await tools.shell("ls -A pub")).trim(), "f");
    }
    assert.ok(seen.has("o"), "some were stopped in time");
  });

  test("negative, fractional and huge offsets and limits are refused or past the end, and never read backwards", async () => {
    await run("write", { file_path: "three", content: "1\n2\n3\n" });
    for (const offset of [-1, 0, 1.5]) assert.match(await read("three", { offset }), /^Error: offset must be a positive whole number/);
    for (const limit of [-1, 0, 0.5]) assert.match(await read("three", { limit }), /^Error: limit must be a positive whole number/);
    assert.match(await read("three", { offset: 4 }), /^Error: .*4.*three.*3 lines/);
    assert.equal(await code("read", { file_path: "three", offset: Number.MAX_SAFE_INTEGER }), "FS_NOT_FOUND");
    assert.equal(await code("read", { file_path: "three", offset: 1e300 }), "FS_NOT_FOUND");
    assert.match(await read("three", { offset: 3, limit: 1 }), /\n3: 3\n\n\(End of file - total 3 lines\)/);
    await tools.shell(": > empty");
    assert.match(await read("empty"), /<content>\n\(End of file - total 0 lines\)\n/);
    assert.equal(await code("read", { file_path: "empty", offset: 2 }), "FS_NOT_FOUND");
  });
});
