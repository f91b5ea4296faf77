import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { AppError } from "@gantry/contracts";
import * as subprocessSandbox from "@gantry/sandbox/plugins/subprocess-sandbox";
import { isDenied } from "../src/bash/denial.ts";
import { managedEnvironment } from "../src/bash/environment.ts";
import { renderBash } from "../src/bash/render.ts";
import { effectiveTimeoutMs } from "../src/bash/timeout.ts";
import type { ForegroundValue } from "../src/bash/value.ts";
import { toolBash } from "../src/index.ts";
import { testAgent } from "./support/agent.ts";
import { call, textOf } from "./support/calls.ts";
import { noWorld } from "./support/no-world.ts";
import { openRoot } from "./support/root.ts";

const root = await openRoot();
after(() => root.close());
const { ctx } = root;
await root.mount(noWorld);

const stream = (text: string, spill?: string | null) => ({ text, truncated: spill !== undefined, ...(spill ? { spillPath: spill } : {}) });
const rendered = (end: Partial<ForegroundValue>) =>
  renderBash({
    kind: "foreground",
    exitCode: 0,
    signal: null,
    timedOut: false,
    aborted: false,
    timeoutMs: 60_000,
    stdout: stream(""),
    stderr: stream(""),
    ...end,
  });

test("EX-056 without a sandbox the call is SANDBOX_UNAVAILABLE with the reason, and the command runs nowhere", async () => {
  const other = await openRoot();
  await other.mount(subprocessSandbox);
  await other.mount(toolBash);
  const marker = join(tmpdir(), `gantry-${randomUUID()}`);
  for (const code of ["ENGINE_DOWN", "SANDBOX_START"] as const) {
    const agent = { ...testAgent(), world: () => Promise.reject(new AppError(code, "There is no engine. Start it.")) };
    const outcome = await call(other.ctx, "bash", { command: `touch ${marker}`, description: "x" }, { agent });
    assert.deepEqual(
      [outcome.error, textOf(outcome)],
      [{ name: "ToolError", code: "SANDBOX_UNAVAILABLE" }, "Error: There is no engine. Start it."],
    );
  }
  assert.equal(existsSync(marker), false);
  await other.close();
});

test("EX-020 nothing printed and exit 3", () => {
  assert.equal(rendered({ exitCode: 3 }), "(no output)\n[exit code: 3]");
  assert.equal(rendered({}), "(no output)");
});

test("EX-021 EX-022 stderr comes after exactly one newline, or first when there is no stdout", () => {
  assert.equal(rendered({ stdout: stream("out"), stderr: stream("err\n") }), "out\n[stderr]\nerr\n");
  assert.equal(rendered({ stdout: stream("out\n"), stderr: stream("err") }), "out\n[stderr]\nerr");
  assert.equal(rendered({ stderr: stream("err") }), "[stderr]\nerr");
});

test("SC-R1 a command that met the memory limit says so before its ending", () => {
  const marker = "[out of memory: the sandbox killed a process at its memory limit]";
  assert.equal(rendered({ signal: "SIGKILL", exitCode: null, outOfMemory: true }), `(no output)\n${marker}\n[killed by signal: SIGKILL]`);
  assert.equal(rendered({ outOfMemory: true }), `(no output)\n${marker}`);
});

test("EX-023 a newline is put before the marker only where the body has none", () => {
  assert.equal(rendered({ exitCode: 1, stdout: stream("out") }), "out\n[exit code: 1]");
  assert.equal(rendered({ exitCode: 1, stdout: stream("out\n") }), "out\n[exit code: 1]");
});

test("§4.3 markers stand in their order, the ending last; a timed-out exit 0 has only the timeout", () => {
  const sandbox = { mode: "workspace-write", denied: true };
  assert.equal(
    rendered({ sandbox, timedOut: true, timeoutMs: 200, exitCode: null, signal: "SIGTERM" }),
    "(no output)\n[sandbox: file access denied under workspace-write mode]\n[timed out after 200ms]\n[killed by signal: SIGTERM]",
  );
  assert.equal(rendered({ timedOut: true, timeoutMs: 50, stdout: stream("bye\n") }), "bye\n[timed out after 50ms]");
});

test("EX-035 each stream has its own truncation note", () => {
  assert.equal(
    rendered({ stdout: stream("tail", "/spill/1"), stderr: stream("e", null) }),
    "tail\n[output truncated; full output: /spill/1]\n[stderr]\ne\n[output truncated; full output: (unavailable)]",
  );
});

test("EX-028 EX-029 a timeout is clamped to the cap; zero and negative ones are refused by the body", async () => {
  const limits = { timeoutMs: 60_000, maxTimeoutMs: 600_000 };
  assert.deepEqual(
    [effectiveTimeoutMs(undefined, limits), effectiveTimeoutMs(200, limits), effectiveTimeoutMs(1e9, limits)],
    [60_000, 200, 600_000],
  );
  const handle = await root.mount(toolBash);
  const agent = testAgent();
  for (const timeoutMs of [0, -1]) {
    const outcome = await call(ctx, "bash", { command: "ls", description: "List files", timeoutMs }, { agent });
    assert.deepEqual([outcome.error, textOf(outcome).startsWith(`Error: invalid timeoutMs: ${timeoutMs}`)], [undefined, true]);
  }
  assert.equal((await call(ctx, "bash", { command: "ls", description: "x", timeoutMs: "5" }, { agent })).error?.code, "INVALID_ARGS");
  await handle.dispose();
});

test("a blank command or description, and a call without a session, are plain errors", async () => {
  const handle = await root.mount(toolBash);
  const agent = testAgent();
  assert.equal(textOf(await call(ctx, "bash", { command: " ", description: "x" }, { agent })), "Error: command must not be blank");
  assert.equal(textOf(await call(ctx, "bash", { command: "ls", description: "\n" }, { agent })), "Error: description must not be blank");
  assert.match(textOf(await call(ctx, "bash", { command: "ls", description: "x" })), /needs a session/);
  await handle.dispose();
});

test("EX-046 with background disabled the parameter is absent, the description silent, and an injected call errors", async () => {
  const off = await root.mount(toolBash);
  const [schema] = ctx.tools.schemas();
  assert.doesNotMatch(JSON.stringify(schema?.parameters), /run_in_background/);
  assert.doesNotMatch(schema?.description ?? "", /background/);
  const args = { command: "ls", description: "x", run_in_background: true };
  assert.match(textOf(await call(ctx, "bash", args, { agent: testAgent() })), /switched off in this deployment/);
  await off.dispose();
  const on = await root.mount(toolBash, { enableRunInBackground: true });
  assert.match(ctx.tools.schemas()[0]?.description ?? "", /run_in_background/);
  assert.match(textOf(await call(ctx, "bash", args, { agent: testAgent() })), /jobs runtime/);
  await on.dispose();
});

test("EX-051 exit 0, signal death, full access and plain permission errors are no sandbox denial", () => {
  const stderr = "touch: cannot touch '/etc/x': Read-only file system";
  assert.equal(isDenied("workspace-write", { exitCode: 1, signal: null, stderr }), true);
  assert.equal(isDenied("workspace-write", { exitCode: 0, signal: null, stderr }), false);
  assert.equal(isDenied("workspace-write", { exitCode: null, signal: "SIGTERM", stderr }), false);
  assert.equal(isDenied("danger-full-access", { exitCode: 1, signal: null, stderr }), false);
  assert.equal(isDenied("read-only", { exitCode: 1, signal: null, stderr: "cat: /root/x: Permission denied" }), false);
});

test("§4.4 the managed environment is these seven variables, from arguments alone", () => {
  assert.deepEqual(managedEnvironment("s-1", "/home/agent"), {
    NO_COLOR: "1",
    TERM: "dumb",
    PAGER: "cat",
    GIT_PAGER: "cat",
    DSH_HOME: "/home/agent",
    DSH_SHELL: "1",
    DSH_SESSION_ID: "s-1",
  });
});

test("sandbox parameters sent although not offered are refused", async () => {
  const handle = await root.mount(toolBash);
  const agent = testAgent();
  const args = { command: "ls", description: "x" };
  const wider = { ...args, sandbox_permissions: "danger-full-access", justification: "please" };
  assert.match(textOf(await call(ctx, "bash", wider, { agent })), /sandbox_permissions is not available/);
  assert.match(textOf(await call(ctx, "bash", { ...args, justification: "please" }, { agent })), /only valid together/);
  await handle.dispose();
});
