import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import type { World } from "../src/types.ts";
import { bash, say, skip, useBench } from "./support/bench.ts";

const mb = 1024 * 1024;
const window = { offset: 1, limit: 2000, maxLineChars: 2000, maxBytes: 51_200 };

describe("files of a world", { skip, concurrency: 2 }, () => {
  const bench = useBench({ quotaMb: 64 });
  let opened: Promise<World> | undefined;
  /** One world for all, a folder each. */
  async function folder() {
    opened ??= bench.open();
    const world = await opened;
    const dir = `t-${randomUUID().slice(0, 8)}`;
    await bash(world, `mkdir ${dir}`);
    const at = (path: string) => world.fs.resolve(path, `/workspace/${dir}`);
    return { world, fs: world.fs, at, sh: (command: string) => say(world, `cd ${dir} && ${command}`) };
  }

  test("EX-138 a same-size rewrite with a restored mtime changes the version", async () => {
    const { fs, at, sh } = await folder();
    const file = await at("f");
    await fs.writeText(file, "aaaa");
    const before = await fs.stat(file);
    await sh("touch -r f ref && printf bbbb > f && touch -r ref f");
    const after = await fs.stat(file);
    assert.equal(after?.size, before?.size);
    assert.notEqual(after?.version, before?.version);
  });

  test("EX-140 the key of a missing file is its key after creation, also below a linked folder", async () => {
    const { fs, at, sh } = await folder();
    await sh("mkdir real && ln -s real linked");
    const before = await at("linked/deep/er/file");
    assert.match(before.targetKey, /\/real\/deep\/er\/file$/);
    assert.match(before.displayPath, /\/linked\/deep\/er\/file$/);
    await fs.writeText(before, "x");
    assert.equal((await at("linked/deep/er/file")).targetKey, before.targetKey);
    assert.equal((await at("real/deep/er/file")).targetKey, before.targetKey);
  });

  test("EX-141 of guarded writes and of edits at the same time one wins, the others are stale", async () => {
    const { fs, at } = await folder();
    const file = await at("f");
    const { version } = await fs.writeText(file, "start");
    const intent = { kind: "replaceIfVersion", version } as const;
    const writes = await Promise.allSettled([1, 2, 3].map((n) => fs.writeText(file, `from ${n}`, intent)));
    assert.deepEqual(writes.map(({ status }) => status).sort(), ["fulfilled", "rejected", "rejected"]);
    for (const write of writes) if (write.status === "rejected") assert.equal(write.reason.code, "FS_STALE_VERSION");
    const now = (await fs.stat(file))?.version ?? "";
    const edits = [1, 2].map((n) =>
      fs.editText(file, { oldString: "from", newString: `edit ${n}` }, { kind: "replaceIfVersion", version: now }),
    );
    assert.deepEqual((await Promise.allSettled(edits)).map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    const missing = fs.writeText(await at("none"), "x", intent);
    await assert.rejects(missing, { code: "FS_STALE_VERSION" });
  });

  test("EX-142 a guarded creation never replaces, whoever was first; a dangling link stays", async () => {
    const { fs, at, sh } = await folder();
    const create = { kind: "createIfAbsent" } as const;
    const both = await Promise.allSettled([
      at("f").then((f) => fs.writeText(f, "a", create)),
      at("f").then((f) => fs.writeText(f, "b", create)),
    ]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    await sh("mkdir d && ln -s nowhere dangling");
    await assert.rejects(fs.writeText(await at("f"), "c", create), { code: "FS_NOT_OBSERVED" });
    await assert.rejects(fs.writeText(await at("d"), "c", create), { code: "FS_NOT_REGULAR_FILE" });
    await assert.rejects(fs.writeText(await at("dangling"), "c"), { code: "FS_NOT_REGULAR_FILE" });
    assert.equal(await sh("readlink dangling; ls -A | sort | tr '\\n' ' '"), "nowhere\nd dangling f");
  });

  test("EX-145 mode bits stay, parents are made, a link is written through, nothing is left behind", async () => {
    const { fs, at, sh } = await folder();
    await sh("printf old > run.sh && chmod 755 run.sh && ln -s run.sh link");
    await fs.writeText(await at("link"), "new");
    const created = await fs.writeText(await at("a/b/c.txt"), "deep");
    assert.equal(created.operation, "create");
    assert.equal(await sh("stat -c %a run.sh a/b/c.txt; readlink link; cat run.sh; find . -name '.gantry*'"), "755\n664\nrun.sh\nnew");
    assert.equal((await fs.stat(await at("a/b/c.txt")))?.version, created.version, "the answered version is that of a fresh stat");
    const cancelled = fs.writeText(await at("run.sh"), "never", undefined, { signal: AbortSignal.abort() });
    await assert.rejects(cancelled, { code: "FS_ABORTED" });
    assert.equal(await sh("cat run.sh"), "new");
  });

  test("EX-146 a CRLF file stays CRLF when edited with LF text", async () => {
    const { fs, at, sh } = await folder();
    await sh("printf 'one\\r\\ntwo\\r\\nthree\\r\\n' > f");
    const outcome = await fs.editText(await at("f"), { oldString: "one\ntwo", newString: "1\n2" });
    assert.deepEqual([outcome.before, outcome.after, outcome.replacements], ["one\ntwo\nthree\n", "1\n2\nthree\n", 1]);
    assert.equal(await sh("od -An -c f | tr -d ' \\n'"), "1\\r\\n2\\r\\nthree\\r\\n");
  });

  test("EX-147 before is null for a binary or broken prior text, and from 10 MiB in bytes on", async () => {
    const { fs, at, sh } = await folder();
    await sh("printf 'a\\0b' > bin; printf '\\377\\376x' > broken; printf 'fine\\r\\n' > text");
    assert.equal((await fs.writeText(await at("bin"), "x")).before, null);
    assert.equal((await fs.writeText(await at("broken"), "x")).before, null);
    assert.deepEqual(await fs.writeText(await at("text"), "x\r\ny").then(({ before, after }) => [before, after]), ["fine\n", "x\ny"]);
    const large = "ä".repeat(5 * mb); // 10 MiB in bytes, half in characters
    assert.equal((await fs.writeText(await at("text"), large)).before, null);
    assert.equal((await fs.writeText(await at("text"), "small")).before, null);
  });

  test("edits: no match, several, all of them, empty text, binary file, no file", async () => {
    const { fs, at, sh } = await folder();
    const f = await at("f");
    await fs.writeText(f, "aaa $& b");
    await assert.rejects(fs.editText(f, { oldString: "zz", newString: "y" }), { code: "FS_EDIT_NOT_FOUND" });
    await assert.rejects(fs.editText(f, { oldString: "", newString: "y" }), { code: "FS_EDIT_NOT_FOUND" });
    await assert.rejects(fs.editText(f, { oldString: "a", newString: "y" }), { code: "FS_AMBIGUOUS_EDIT", message: /3 times/ });
    assert.equal((await fs.editText(f, { oldString: "aa", newString: "$&" })).after, "$&a $& b", "without overlap, and literally");
    assert.equal((await fs.editText(f, { oldString: "$&", newString: "x", replaceAll: true })).replacements, 2);
    await sh("printf 'text\\0' > bin; head -c 9000 /dev/zero | tr '\\0' a > late; printf '\\0' >> late");
    await assert.rejects(fs.editText(await at("late"), { oldString: "a", newString: "b" }), { code: "FS_NOT_TEXT" });
    await assert.rejects(fs.editText(await at("none"), { oldString: "a", newString: "b" }), { code: "FS_NOT_FOUND" });
  });

  test("D.4 errors are coded: missing, a file as a folder, a folder as a file, permission, FIFO, kernel files", async () => {
    const { fs, at, sh } = await folder();
    await sh("touch f && mkdir d closed && mkfifo pipe && printf x > closed/f && chmod 000 closed/f && ln -s /proc/self/fd odd");
    await assert.rejects(fs.readText(await at("none")), { code: "FS_NOT_FOUND" });
    await assert.rejects(at("f/below"), { code: "FS_NOT_DIRECTORY" });
    await assert.rejects(fs.listDir(await at("f")), { code: "FS_NOT_DIRECTORY" });
    await assert.rejects(fs.listDir(await at("none")), { code: "FS_NOT_FOUND" });
    await assert.rejects(fs.readText(await at("d")), { code: "FS_NOT_REGULAR_FILE" });
    await assert.rejects(fs.readText(await at("pipe")), { code: "FS_NOT_REGULAR_FILE" });
    await assert.rejects(fs.readText(await at("closed/f")), { code: "FS_PERMISSION_DENIED" });
    await assert.rejects(fs.readText(await at("/proc/self/environ")), { code: "FS_PERMISSION_DENIED" });
    await assert.rejects(fs.listDir(await at("odd")), { code: "FS_PERMISSION_DENIED" });
    assert.equal(await fs.stat(await at("none")), null);
    assert.deepEqual(
      (await fs.listDir(await at("."))).entries.map(({ name, type }) => `${name}:${type}`),
      ["closed:directory", "d:directory", "f:file", "odd:symlink", "pipe:other"],
    );
    await fs.writeText(await at("f"), "12345");
    assert.equal((await fs.readBytes(await at("f"), 5)).bytes.toString(), "12345");
    await assert.rejects(fs.readBytes(await at("f"), 4), { code: "FS_TOO_LARGE" });
  });

  test("EX-153 writing outside the workspace is denied with nothing created; the temp folder is open", async () => {
    const { world, fs, at, sh } = await folder();
    await sh("ln -s /var out");
    for (const path of ["/etc/x", "../../../etc/x", "out/x", "out/new/deep/x"]) {
      await assert.rejects(fs.writeText(await at(path), "x"), { code: "FS_SANDBOX_DENIED" }, path);
    }
    await fs.writeText(await at("/tmp/mine"), "x");
    assert.equal(await say(world, "cat /tmp/mine; ls /var/x /var/new 2>/dev/null; true"), "x");
  });

  test("a window has whole lines, exact totals and bounded memory, however long a line is", async () => {
    const { fs, at, sh } = await folder();
    await sh(
      "printf 'one\\r\\ntwo\\nthree' > f; : > empty; head -c 20M /dev/zero | tr '\\0' x > long; printf '\\nlast\\n' >> long; seq 100000 > many",
    );
    assert.deepEqual((await fs.readWindow(await at("f"), window)).lines, ["one", "two", "three"]);
    const empty = await fs.readWindow(await at("empty"), window);
    assert.deepEqual([empty.lines, empty.totalLines], [[], 0]);
    const long = await fs.readWindow(await at("long"), window);
    assert.deepEqual([long.lines.map((line) => line.length), long.cutLines, long.totalLines], [[2000, 4], [0], 2]);
    const many = await fs.readWindow(await at("many"), { ...window, limit: 100_000 });
    assert.equal(many.cappedByBytes, true);
    assert.equal(many.totalLines, 100_000);
    const text = many.lines.join("\n");
    assert.ok(text.length <= 51_200 && text.length > 51_190);
    const middle = await fs.readWindow(await at("many"), { ...window, offset: 50_000, limit: 2 });
    assert.deepEqual(middle.lines, ["50000", "50001"]);
    await sh("head -c 300000 /dev/zero | tr '\\0' y > late; printf '\\377' >> late");
    await assert.rejects(fs.readWindow(await at("late"), window), { code: "FS_NOT_TEXT" });
  });

  test("SC-F5 odd files do not hold the reader up: huge, sparse, a thousand entries, strange names", async () => {
    const { fs, at, sh } = await folder();
    await sh("truncate -s 900M sparse; mkdir many && cd many && seq 3000 | xargs touch; touch $'new\\nline' $'\\u202ertl'");
    await assert.rejects(fs.readText(await at("sparse")), { code: "FS_TOO_LARGE" });
    await assert.rejects(fs.readWindow(await at("sparse"), window), { code: "FS_NOT_TEXT" });
    const list = await fs.listDir(await at("many"), { limit: 100 });
    assert.deepEqual([list.entries.length, list.truncated], [100, true]);
    const all = await fs.listDir(await at("many"));
    assert.ok(all.entries.some(({ name }) => name === "new\nline") && all.entries.some(({ name }) => name === "\u202ertl"));
    assert.match(await sh("truncate -s 1T big 2>&1; echo $?"), /153|File size limit/);
  });

  test("SC-R4 a full workspace is a typed error; the old file stays; deleting heals it", async () => {
    const world = await bench.open();
    const file = await world.fs.resolve("kept");
    await world.fs.writeText(file, "old");
    await bash(world, "head -c 200M /dev/zero > filler; true");
    await assert.rejects(world.fs.writeText(file, "x".repeat(2 * mb)), { code: "FS_NO_SPACE" });
    assert.equal((await world.fs.readText(file)).text, "old");
    await bash(world, "rm filler");
    await world.fs.writeText(file, "x".repeat(2 * mb));
    assert.equal(await say(world, "ls -A"), "kept");
  });

  test("SC-R5 inodes end at the volume's number, in /tmp too, and the world goes on", async () => {
    const world = await bench.open();
    const script =
      "import os,sys\nn=0\ntry:\n  while True: os.close(os.open('f%d'%n,os.O_CREAT)); n+=1\nexcept OSError as e: print(n,e.errno)";
    const inWorkspace = (await say(world, `mkdir many && cd many && python3 -c "${script.replaceAll('"', '\\"')}"`)).split(" ").map(Number);
    assert.equal(inWorkspace[1], 28);
    assert.ok((inWorkspace[0] ?? 0) <= 4096 + 64, `${inWorkspace[0]} files in a volume of 64 MB`);
    const inTemp = (await say(world, `mkdir /tmp/many && cd /tmp/many && python3 -c "${script.replaceAll('"', '\\"')}"`))
      .split(" ")
      .map(Number);
    assert.deepEqual([inTemp[1], (inTemp[0] ?? 0) < 20_000], [28, true]);
    assert.equal(await say(world, "rm -rf many; echo fine > f && cat f"), "fine");
  });
});
