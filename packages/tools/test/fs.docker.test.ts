import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { World } from "@gantry/sandbox/seams";
import { testAgent } from "./support/agent.ts";
import { call, textOf } from "./support/calls.ts";
import { skip, useTools } from "./support/world.ts";

const envelope = (path: string, body: string) => `<path>${path}</path>\n<type>file</type>\n<content>\n${body}\n</content>`;

describe("read, write and edit in a world", { skip }, () => {
  const tools = useTools();
  const { shell, text } = {
    shell: (command: string) => tools.shell(command),
    text: (...args: Parameters<typeof tools.text>) => tools.text(...args),
  };
  const outcome = (name: string, args: object) => call(tools.root.ctx, name, args, { agent: tools.agent });
  const codeOf = async (name: string, args: object) => (await outcome(name, args)).error?.code;

  test("EX-156 EX-157 footers of a whole, a paged, a capped and an empty file; the last line and the one beyond it", async () => {
    await shell("printf 'a\\r\\nb\\n' > two.txt; printf 'a\\n\\n' > blank.txt; printf 'a\\nb' > open.txt; : > empty.txt");
    await shell("seq 1 3000 > many.txt; for i in $(seq 1 40); do head -c 1999 /dev/zero | tr '\\0' x; echo; done > wide.txt");
    const read = async (file_path: string, more: object = {}) => text("read", { file_path, ...more });
    const shown = async (file_path: string, more: object = {}) => (await read(file_path, more)).split("<content>\n")[1];
    assert.equal(await read("two.txt"), envelope("/workspace/two.txt", "1: a\n2: b\n\n(End of file - total 2 lines)"));
    assert.equal(await shown("blank.txt"), "1: a\n2: \n\n(End of file - total 2 lines)\n</content>");
    assert.equal(await shown("open.txt"), "1: a\n2: b\n\n(End of file - total 2 lines)\n</content>");
    assert.equal(await shown("empty.txt"), "(End of file - total 0 lines)\n</content>");
    assert.match((await shown("many.txt")) ?? "", /\n2000: 2000\n\n\(Showing lines 1-2000 of 3000\. Use offset=2001 to continue\.\)\n/);
    assert.equal(await shown("many.txt", { offset: 3000 }), "3000: 3000\n\n(End of file - total 3000 lines)\n</content>");
    assert.equal(
      await shown("many.txt", { offset: 5, limit: 2 }),
      "5: 5\n6: 6\n\n(Showing lines 5-6 of 3000. Use offset=7 to continue.)\n</content>",
    );
    assert.match((await shown("wide.txt")) ?? "", /\(Output capped\. Showing lines 1-25\. Use offset=26 to continue\.\)/);
    const beyond = await outcome("read", { file_path: "many.txt", offset: 3001 });
    assert.equal(beyond.error?.code, "FS_NOT_FOUND");
    for (const fact of ["3001", "many.txt", "3000 lines"]) assert.ok(textOf(beyond).includes(fact), fact);
  });

  test("EX-158 a long line is cut with its suffix; limits that are no count are refused", async () => {
    await shell("head -c 2001 /dev/zero | tr '\\0' x > long.txt");
    assert.ok((await text("read", { file_path: "long.txt" })).includes(`1: ${"x".repeat(2000)}... (line truncated to 2000 chars)\n`));
    for (const limit of [0, 1.5, 2001]) assert.equal((await outcome("read", { file_path: "long.txt", limit })).isError, true);
    assert.equal(await codeOf("read", { file_path: "long.txt", limit: "3" }), "INVALID_ARGS");
    assert.equal((await outcome("read", { file_path: " " })).isError, true);
  });

  test("EX-159 files of 12 MiB, with and without newlines, are read in bounded windows with an exact line count", async () => {
    await shell("yes 0123456789abcde | head -n 786432 > big.txt; head -c 12582912 /dev/zero | tr '\\0' x > flat.txt");
    assert.match(
      await text("read", { file_path: "big.txt", offset: 786_432 }),
      /\n786432: 0123456789abcde\n\n\(End of file - total 786432 lines\)/,
    );
    assert.match(
      await text("read", { file_path: "flat.txt" }),
      /x\.\.\. \(line truncated to 2000 chars\)\n\n\(End of file - total 1 lines\)/,
    );
  });

  test("a directory, a binary file and invalid UTF-8 have their codes", async () => {
    await shell("mkdir -p dir; printf 'a\\0b' > bin; printf '\\xff\\xfe' > latin");
    assert.deepEqual(await Promise.all(["dir", "bin", "latin"].map((file_path) => codeOf("read", { file_path }))), [
      "FS_NOT_REGULAR_FILE",
      "FS_NOT_TEXT",
      "FS_NOT_TEXT",
    ]);
  });

  test("EX-163 writes say what they did: created, then updated; folders are made; empty is content; a folder is refused", async () => {
    const path = "/workspace/deep/er/new.txt";
    assert.equal(await text("write", { file_path: "deep/er/new.txt", content: "one\n" }), envelope(path, "Created file"));
    assert.equal(await text("write", { file_path: path, content: "" }), envelope(path, "Updated file"));
    assert.equal(await shell(`wc -c < ${path}`), "0\n");
    await shell("mkdir -p folder");
    assert.equal((await outcome("write", { file_path: "folder", content: "x" })).isError, true);
  });

  test("EX-149 EX-148 an unread file is neither replaced nor edited; a changed one is stale until it is read again", async () => {
    await shell("seq 1 100 > known.txt");
    const edit = { file_path: "known.txt", old_string: "50\n", new_string: "fifty\n" };
    const write = await outcome("write", { file_path: "known.txt", content: "gone" });
    const unread = await outcome("edit", edit);
    assert.deepEqual([write.error?.code, unread.error?.code], ["FS_NOT_OBSERVED", "FS_NOT_OBSERVED"]);
    for (const refused of [write, unread]) assert.ok(textOf(refused).endsWith(" — read the file, then retry"));
    await text("read", { file_path: "known.txt", limit: 1 });
    assert.equal(await text("edit", edit), "Updated /workspace/known.txt");
    await text("bash", { command: "sed -i s/fifty/FIFTY/ known.txt", description: "Change it" });
    const stale = await outcome("edit", { ...edit, old_string: "FIFTY", new_string: "50" });
    assert.deepEqual([stale.error?.code, textOf(stale).endsWith(" — re-read the file, then retry")], ["FS_STALE_VERSION", true]);
    await text("read", { file_path: "known.txt", offset: 50, limit: 1 });
    assert.equal(await text("edit", { ...edit, old_string: "FIFTY", new_string: "50" }), "Updated /workspace/known.txt");
    assert.equal(await shell("sed -n 50p known.txt"), "50\n");
  });

  test("EX-150 a failed read records the absence: an edit is not found, a write creates, and not over what came meanwhile", async () => {
    assert.equal(await codeOf("read", { file_path: "absent.txt" }), "FS_NOT_FOUND");
    assert.equal(await codeOf("edit", { file_path: "absent.txt", old_string: "a", new_string: "b" }), "FS_NOT_FOUND");
    assert.match(await text("write", { file_path: "absent.txt", content: "x" }), /Created file/);
    assert.equal(await codeOf("read", { file_path: "raced.txt" }), "FS_NOT_FOUND");
    await shell("echo theirs > raced.txt");
    assert.equal(await codeOf("write", { file_path: "raced.txt", content: "mine" }), "FS_NOT_OBSERVED");
    assert.equal(await shell("cat raced.txt"), "theirs\n");
  });

  test("EX-151 what one session has read does not authorise another", async () => {
    await shell("echo shared > shared.txt");
    await text("read", { file_path: "shared.txt" });
    const other = testAgent({ world: tools.world });
    assert.match(await text("write", { file_path: "shared.txt", content: "x" }, other), /read the file, then retry$/);
    assert.match(await text("write", { file_path: "shared.txt", content: "x" }), /Updated file/);
  });

  test("what a session has read is known to its next holder, from the log (POL-4)", async () => {
    await shell("echo one > kept.txt");
    const first = testAgent({ world: tools.world });
    await text("read", { file_path: "kept.txt" }, first);
    const next = testAgent({ world: tools.world, log: [...first.log] });
    assert.match(await text("write", { file_path: "kept.txt", content: "two" }, next), /Updated file/);
    assert.equal(first.log.length, 1);
  });

  test("EX-165 an edit needs exactly one match, or replace_all", async () => {
    await text("write", { file_path: "code.txt", content: "a b a\n" });
    const edit = (old_string: string, new_string: string, more: object = {}) =>
      outcome("edit", { file_path: "code.txt", old_string, new_string, ...more });
    assert.equal((await edit("z", "y")).error?.code, "FS_EDIT_NOT_FOUND");
    const many = await edit("a", "c");
    assert.deepEqual([many.error?.code, /\b2\b/.test(textOf(many))], ["FS_AMBIGUOUS_EDIT", true]);
    assert.match(textOf(await edit("a", "a")), /are the same/);
    assert.match(textOf(await edit("", "a")), /must not be empty/);
    assert.equal(textOf(await edit("a", "c", { replace_all: true })), "Updated /workspace/code.txt; all occurrences were replaced");
    assert.equal(textOf(await edit(" b", "")), "Updated /workspace/code.txt");
    assert.equal(await shell("cat code.txt"), "c c\n");
  });

  test("EX-146 a CRLF file edited with an LF text stays CRLF", async () => {
    await shell("printf 'a\\r\\nb\\r\\nc\\r\\n' > crlf.txt");
    await text("read", { file_path: "crlf.txt" });
    assert.equal(await text("edit", { file_path: "crlf.txt", old_string: "a\nb\n", new_string: "x\ny\n" }), "Updated /workspace/crlf.txt");
    assert.equal(await shell("od -An -c crlf.txt | tr -d ' '"), "x\\r\\ny\\r\\nc\\r\\n\n");
  });

  test("EX-166 EX-164 scattered replacements give one hunk each; a creation and a rewrite without a difference give none", async () => {
    const lines = Array.from({ length: 60 }, (_, index) => (index % 30 === 10 ? "target" : `line ${index}`)).join("\n");
    const created = await outcome("write", { file_path: "scattered.txt", content: lines });
    const same = await outcome("write", { file_path: "scattered.txt", content: lines });
    const edited = await outcome("edit", { file_path: "scattered.txt", old_string: "target", new_string: "hit", replace_all: true });
    const { hunks } = edited.meta as { hunks: { startLine: number; oldText: string; newText: string }[] };
    assert.deepEqual(
      hunks.map(({ startLine }) => startLine),
      [8, 38],
    );
    assert.equal(hunks[0]?.newText, ["line 7", "line 8", "line 9", "hit", "line 11", "line 12", "line 13"].join("\n"));
    assert.deepEqual(
      [created.meta, same.meta],
      [
        { path: "/workspace/scattered.txt", operation: "create" },
        { path: "/workspace/scattered.txt", operation: "update" },
      ],
    );
  });

  test("EX-153 writes that end outside the workspace are denied, however they get there, and create nothing; temporary files are allowed", async () => {
    await shell("ln -sfn /usr/local outside");
    for (const file_path of ["/usr/local/new/file.txt", "../usr/local/new/file.txt", "outside/file.txt", "outside/new/file.txt"]) {
      const denied = await outcome("write", { file_path, content: "x" });
      assert.equal(denied.error?.code, "FS_SANDBOX_DENIED", file_path);
      assert.match(textOf(denied), /^Error: \[sandbox: file access denied under workspace-write mode\]\n/);
    }
    assert.equal(await shell("find /usr/local -name file.txt -o -name new | wc -l"), "0\n");
    assert.match(await text("write", { file_path: "/tmp/allowed.txt", content: "x" }), /Created file/);
  });

  test("EX-161 a read asks for the state of the file once and for its lines right behind, a write and an edit never", async () => {
    const asked: string[] = [];
    const { fs } = tools.world;
    const telling: World = {
      ...tools.world,
      fs: {
        ...fs,
        stat: async (...args) => {
          asked.push("stat");
          const stat = await fs.stat(...args);
          asked.push("answered");
          return stat;
        },
        readWindow(...args) {
          asked.push("lines");
          return fs.readWindow(...args);
        },
      },
    };
    const agent = testAgent({ world: telling });
    await text("write", { file_path: "counted.txt", content: "a" }, agent);
    await text("edit", { file_path: "counted.txt", old_string: "a", new_string: "b" }, agent);
    assert.deepEqual(asked, []);
    assert.match(await text("read", { file_path: "counted.txt" }, agent), /1: b/);
    assert.deepEqual(asked, ["stat", "lines", "answered"]);
  });

  test("EX-169 sandbox parameters that are not offered are refused", async () => {
    assert.doesNotMatch(JSON.stringify(tools.root.ctx.tools.schemas()), /sandbox_permissions|justification/);
    for (const [name, args] of [
      ["write", { file_path: "w.txt", content: "x" }],
      ["edit", { file_path: "w.txt", old_string: "a", new_string: "b" }],
    ] as const) {
      const wider = { ...args, sandbox_permissions: "danger-full-access", justification: "please" };
      assert.match(await text(name, wider), /sandbox_permissions is not available/);
    }
  });

  test("relative paths start at the session's folder; absolute ones are taken as they are", async () => {
    await shell("mkdir -p nested && echo top > top.txt && echo in > nested/top.txt");
    assert.match(await text("read", { file_path: "./top.txt" }), /1: top/);
    assert.match(await text("read", { file_path: "/workspace/nested/top.txt" }), /1: in/);
    const inside = { ...testAgent({ world: tools.world }), cwd: "/workspace/nested" };
    assert.match(await text("read", { file_path: "top.txt" }, inside), /1: in/);
  });

  test("EX-154 a listener that fails after the write was published makes an error, although the file has changed", async () => {
    const undo = tools.root.ctx.on("fs/observed", () => {
      throw new Error("listener broke");
    });
    assert.equal((await outcome("write", { file_path: "published.txt", content: "there" })).isError, true);
    await undo();
    assert.equal(await shell("cat published.txt"), "there");
  });

  test("EX-141 of two guarded edits of one version at once one wins and the other is stale", async () => {
    await text("write", { file_path: "race.txt", content: "base\n" });
    const edits = await Promise.all(
      ["one", "two"].map((word) => codeOf("edit", { file_path: "race.txt", old_string: "base", new_string: `base ${word}` })),
    );
    assert.deepEqual(edits.map((code) => code ?? "ok").sort(), ["FS_STALE_VERSION", "ok"]);
  });
});

describe("without the observation policy", { skip }, () => {
  const tools = useTools({ without: "fs-observation-policy" });

  test("EX-152 an unread file may be replaced and edited", async () => {
    await tools.shell("echo old > free.txt");
    assert.match(await tools.text("write", { file_path: "free.txt", content: "new\n" }), /Updated file/);
    assert.equal(
      await tools.text("edit", { file_path: "free.txt", old_string: "new", new_string: "newer" }),
      "Updated /workspace/free.txt",
    );
  });
});
