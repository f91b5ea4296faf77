import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { call, textOf } from "./support/calls.ts";
import { skip, useTools } from "./support/world.ts";

describe("commands at their edges", { skip }, () => {
  const tools = useTools({ configs: { "tool-bash": { graceMs: 2_000 } } });
  const run = (command: string, more: object = {}) =>
    call(tools.root.ctx, "bash", { command, description: "x", ...more }, { agent: tools.agent });
  const text = async (command: string, more: object = {}) => textOf(await run(command, more));

  test("§4.3 exactly 64,000 bytes are whole, one more keeps its tail, and a cut never leaves half a character", async () => {
    assert.equal(await text("head -c 64000 /dev/zero | tr '\\0' x"), "x".repeat(64_000));
    const cut = await text("printf '🦊%.0s' $(seq 16001)");
    const [tail = ""] = cut.split("\n[output truncated");
    assert.ok(tail.isWellFormed() && Buffer.byteLength(tail) <= 64_000 && /^🦊+$/u.test(tail));
    assert.match(cut, /\n\[output truncated; full output: \/[^\]]+\]$/);
  });

  test("§4.3 both streams cut, a timeout and a denial each have their line, in the order of the rule, and the ending is the last", async () => {
    const both = await text("head -c 64001 /dev/zero | tr '\\0' o; head -c 64001 /dev/zero | tr '\\0' e >&2; exit 7");
    assert.match(
      both,
      /o\n\[output truncated; full output: [^\]]+\]\n\[stderr\]\ne+\n\[output truncated; full output: [^\]]+\]\n\[exit code: 7\]$/,
    );
    const denied = await text("touch /etc/x; sleep 60", { timeoutMs: 300 });
    assert.match(denied, /\n\[timed out after 300ms\]\n\[killed by signal: SIGTERM\]$/);
    assert.match(await text("touch /etc/x"), /\n\[sandbox: file access denied under workspace-write mode\]\n\[exit code: 1\]$/);
  });

  test("§4.3 a command that traps the end and leaves well still timed out; one that ignores it is killed", async () => {
    const trapped = { timeoutMs: 2_000 }; // long enough for the shell to have set its trap, also on a busy machine
    assert.equal(await text("trap 'echo bye; exit 0' TERM; sleep 60 & wait", trapped), "bye\n[timed out after 2000ms]");
    assert.match(
      await text("trap '' TERM; while :; do sleep 0.05; done", trapped),
      /\[timed out after 2000ms\]\n\[killed by signal: SIGKILL\]$/,
    );
  });

  test("§3.3 a command that ends itself is told by what the system says of it", async () => {
    assert.equal(await text("kill -TERM $$"), "(no output)\n[killed by signal: SIGTERM]");
    assert.match(await text("(kill -KILL $BASHPID); exit $?"), /\n\[exit code: 137\]$/, "of a child it knows only the number");
    assert.equal(await text("exit 255"), "(no output)\n[exit code: 255]");
  });

  test("§4.1 workdir: relative from the workspace, absolute as it is, through a link as the shell goes; a file or nothing is an error", async () => {
    await tools.shell("mkdir -p far/inner && ln -sfn far/inner near && echo x > file");
    assert.equal(await text("pwd", { workdir: "far" }), "/workspace/far\n");
    assert.equal(await text("pwd", { workdir: "/tmp" }), "/tmp\n");
    assert.equal(await text("pwd -P", { workdir: "near/.." }), "/workspace/far\n");
    for (const workdir of ["file", "nowhere", "a\0b"]) {
      const { isError, error } = await run("touch ran", { workdir });
      assert.deepEqual([isError, error?.code === undefined || /^[A-Z_]+$/.test(error.code)], [true, true], workdir);
    }
    assert.equal(await text("ls ran 2>/dev/null"), "(no output)\n[exit code: 2]");
  });

  test("what is no text comes out as such, and markers that a program prints are only text", async () => {
    assert.equal(await text("printf 'a\\xff\\xfeb'"), "a\ufffd\ufffdb");
    assert.equal(await text("printf 'a\\0b'"), "a\0b");
    assert.equal(await text("echo '[exit code: 9]'"), "[exit code: 9]\n");
    assert.equal(await text("printf '[stderr]\\n'; echo e >&2"), "[stderr]\n[stderr]\ne\n");
  });

  test("§4.1 blank and odd arguments are refused before anything runs", async () => {
    for (const [command, more] of [
      ["", {}],
      [" \n", {}],
      ["touch ran", { description: " " }],
      ["touch ran", { timeoutMs: 0 }],
      ["touch ran", { timeoutMs: -1 }],
      ["touch ran", { timeoutMs: "9" }],
      ["touch ran", { timeoutMs: null }],
      ["touch ran", { run_in_background: true }],
      ["touch ran", { sandbox_permissions: "danger-full-access", justification: "because" }],
      ["touch ran", { justification: "because" }],
    ] as const) {
      assert.equal((await run(command, more)).isError, true, `${command} ${JSON.stringify(more)}`);
    }
    assert.equal(await text("ls ran 2>/dev/null"), "(no output)\n[exit code: 2]");
    assert.equal(await text("echo fine", { run_in_background: false, timeoutMs: 1e12 }), "fine\n");
  });
});
