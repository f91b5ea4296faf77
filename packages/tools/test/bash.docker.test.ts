import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { testAgent } from "./support/agent.ts";
import { call, prepare } from "./support/calls.ts";
import { skip, useTools } from "./support/world.ts";

describe("bash in a world", { skip }, () => {
  const tools = useTools({ configs: { "tool-bash": { graceMs: 2_000, maxSpillBytes: 1_000_000 } } });
  const bash = (command: string, more: object = {}) => tools.text("bash", { command, description: "Test", ...more });

  test("EX-020 a failing command is a result, not an error", async () => {
    const outcome = await call(tools.root.ctx, "bash", { command: "exit 3", description: "Fail" }, { agent: tools.agent });
    assert.deepEqual(
      [outcome.isError, outcome.content, outcome.meta],
      [false, [{ type: "text", text: "(no output)\n[exit code: 3]" }], { exitCode: 3, signal: null }],
    );
  });

  test("EX-021 EX-022 EX-023 streams and markers in their places", async () => {
    assert.equal(await bash("printf out; printf err >&2; exit 1"), "out\n[stderr]\nerr\n[exit code: 1]");
    assert.equal(await bash("echo err >&2"), "[stderr]\nerr\n");
  });

  test("EX-024 a timeout ends the command with SIGTERM and says both", async () => {
    assert.equal(await bash("sleep 60", { timeoutMs: 200 }), "(no output)\n[timed out after 200ms]\n[killed by signal: SIGTERM]");
    // long enough for the shell to have set its trap, also on a busy machine
    assert.equal(await bash("trap 'echo bye; exit 0' TERM; sleep 60 & wait", { timeoutMs: 2_000 }), "bye\n[timed out after 2000ms]");
  });

  test("EX-030 EX-061 one byte over the cap keeps the exact tail and a complete file that read and grep can open", async () => {
    const text = await bash("printf 'FIRST\\n'; head -c 63995 /dev/zero | tr '\\0' x");
    const [, tail, path] = /^(.*)\n\[output truncated; full output: (\/\S+)\]$/s.exec(text) ?? [];
    assert.ok(tail === `IRST\n${"x".repeat(63_995)}`, "the exact tail");
    assert.ok(path);
    assert.match(await tools.text("read", { file_path: path }), /\n1: FIRST\n/);
    assert.match(await tools.text("grep", { pattern: "^FIRST$", path }), /^Found 1 match\n/);
    assert.equal(await tools.shell(`wc -c < ${path}`), "64001\n");
  });

  test("EX-033 a spill beyond its limit is unavailable, and no file is left", async () => {
    const files = () => tools.shell("ls /tmp/gantry-spill 2>/dev/null | wc -l");
    const before = await files();
    assert.match(await bash("head -c 1000001 /dev/zero | tr '\\0' x"), /\n\[output truncated; full output: \(unavailable\)\]$/);
    assert.equal(await files(), before);
  });

  test("EX-035 the caps of the two streams are independent", async () => {
    const text = await bash("printf out; head -c 70000 /dev/zero | tr '\\0' e >&2");
    assert.match(text.replace("e".repeat(64_000), "<tail>"), /^out\n\[stderr\]\n<tail>\n\[output truncated; full output: \/\S+\]$/);
  });

  test("EX-036 a command that reads standard input sees its end at once", async () => {
    assert.equal(await bash("cat; echo done"), "done\n");
  });

  test("EX-037 neither directory nor variables survive a call", async () => {
    assert.equal(await bash("mkdir -p sub && cd sub && export X=1 && pwd"), "/workspace/sub\n");
    assert.equal(await bash('pwd; echo "[$X]"'), "/workspace\n[]\n");
    assert.equal(await bash("pwd", { workdir: "sub" }), "/workspace/sub\n");
    assert.equal(await bash("pwd", { workdir: "/tmp" }), "/tmp\n");
  });

  test("EX-039 a working directory that is not there is an error, not an exit code", async () => {
    const args = { command: "pwd", description: "Where", workdir: "nowhere" };
    const outcome = await call(tools.root.ctx, "bash", args, { agent: tools.agent });
    assert.deepEqual([outcome.isError, outcome.error?.code], [true, "SPAWN_FAILED"]);
  });

  test("EX-040 an abort ends the whole group, grandchildren included, and answers ABORTED", async () => {
    const caller = new AbortController();
    const args = { command: "bash -c 'echo $$ > grandchild; sleep 600; true'; true", description: "Hang" };
    const prepared = await prepare(tools.root.ctx, "bash", args, { agent: tools.agent, signal: caller.signal });
    const running = prepared.run();
    await tools.shell("until [ -s grandchild ]; do sleep 0.05; done");
    caller.abort();
    const outcome = await (await running).commit();
    assert.deepEqual(outcome.error, { name: "AbortError", code: "ABORTED" });
    assert.equal(await tools.shell("kill -0 $(cat grandchild) 2>/dev/null && echo alive || echo gone"), "gone\n");
  });

  test("EX-041 a descendant that holds the output open delays the call by the grace at most", async () => {
    const started = Date.now();
    assert.equal(await bash("(setsid sleep 300 &) ; echo done"), "done\n");
    assert.ok(Date.now() - started < 60_000);
    await tools.shell("pkill -x sleep || true");
  });

  test("EX-044 EX-016 what a model adds as env or stdin has no effect, and the environment is ours alone", async () => {
    const text = await bash("cat; env | grep -E '^(DSH_|EXTRA|NO_COLOR|TERM|PAGER|GIT_PAGER|DATABASE|REDIS|NEXTAUTH|GANTRY)' | sort", {
      env: { EXTRA: "1" },
      stdin: "injected",
    });
    const expected = ["DSH_HOME=/home/agent", `DSH_SESSION_ID=${tools.agent.sessionId}`, "DSH_SHELL=1"];
    assert.equal(text, [...expected, "GIT_PAGER=cat", "NO_COLOR=1", "PAGER=cat", "TERM=dumb", ""].join("\n"));
  });

  test("EX-050 a write outside the workspace is marked as denied, before the exit marker; without escalation there is no hint", async () => {
    const text = await bash("touch /usr/local/denied");
    assert.match(text, /Read-only file system\n\[sandbox: file access denied under workspace-write mode\]\n\[exit code: 1\]$/);
    const readOnly = await tools.bench.open({ mode: "read-only" });
    const agent = testAgent({ world: readOnly, mode: "read-only" });
    assert.match(
      await tools.text("bash", { command: "touch here", description: "x" }, agent),
      /denied under read-only mode\]\n\[exit code: 1\]$/,
    );
  });

  test("EX-051 a permission error of a command that succeeds is no denial", async () => {
    assert.equal(await bash("echo 'Read-only file system' >&2"), "[stderr]\nRead-only file system\n");
  });

  test("EX-060 a command killed by the system reports 128+n when the shell does", async () => {
    assert.match(await bash("bash -c 'kill -9 $$'; exit $?"), /\[exit code: 137\]$/);
  });
});
