import assert from "node:assert/strict";
import { test } from "node:test";
import { audit, type Context, closeRoot, createRoot, describeAudit, mount, type Plugin } from "@gantry/kernel";
import { RunUnknownError, SpawnError } from "../../src/errors.ts";
import type { WorldOwner } from "../../src/seams.ts";
import type { RunOptions, SandboxProc } from "../../src/types.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** Mounts a provider in a root of its own and hands over what it gives to `owner`. */
export async function withProvided(provider: Plugin, owner: WorldOwner, use: (proc: SandboxProc) => Promise<void>): Promise<void> {
  const root = createRoot({ name: "contract", logger: quiet });
  try {
    let found: Context | undefined;
    const keep = (ctx: Context) => {
      found = ctx;
    };
    const consumer = { name: "consumer", inject: ["subprocess"], apply: keep };
    const report = await audit([mount(root.ctx, provider, {}), mount(root.ctx, consumer)]);
    assert.ok(report.usable && found, describeAudit(report).join("; "));
    await use(found.subprocess.for(owner));
  } finally {
    await closeRoot(root);
  }
}

/**
 * What every provider of the seam `subprocess` promises (S-7), whether it runs something or only says so. Registers its tests in the
 * calling file; `ownerOf` is asked when the first of them runs.
 */
export function subprocessContract(provider: Plugin, ownerOf: () => Promise<WorldOwner>): void {
  const withProc = async (use: (proc: SandboxProc) => Promise<void>) => withProvided(provider, await ownerOf(), use);
  const echo = (text: string, more: Partial<RunOptions> = {}): RunOptions => ({
    argv: ["echo", text],
    capture: { maxBytes: 1_000 },
    ...more,
  });

  test("S-7 a run ends with an exit code and neither signal nor abort; what it says contains its words", () =>
    withProc(async (proc) => {
      const pieces: string[] = [];
      const end = await proc.run(echo("héllo", { onOutput: ({ text }) => pieces.push(text) }));
      assert.deepEqual([end.exitCode, end.signal, end.timedOut, end.aborted, end.outOfMemory], [0, null, false, false, false]);
      assert.match(end.stdout.text, /héllo\n$/);
      assert.equal(pieces.join(""), end.stdout.text);
      assert.deepEqual([end.stdout.truncated, end.stderr], [false, { text: "", truncated: false }]);
    }));

  test("S-7 the captured tail is the end of the output, at most so many bytes, cut between characters", () =>
    withProc(async (proc) => {
      const end = await proc.run(echo("ä".repeat(100), { capture: { maxBytes: 10 } }));
      assert.deepEqual(end.stdout, { text: `${"ä".repeat(4)}\n`, truncated: true });
    }));

  test("S-7 a run without a program is a SpawnError, and a run nobody knows cannot be joined", () =>
    withProc(async (proc) => {
      for (const argv of [[], [""]]) await assert.rejects(proc.run({ argv, capture: { maxBytes: 10 } }), SpawnError);
      await assert.rejects(proc.run(echo("x", { key: "never-started", join: true })), RunUnknownError);
    }));

  test("S-7 a signal that fired before the run is a result, not an error: aborted, without an exit code", () =>
    withProc(async (proc) => {
      const end = await proc.run(echo("x", { signal: AbortSignal.abort() }));
      assert.deepEqual([end.aborted, end.exitCode, end.timedOut, end.stdout.text], [true, null, false, ""]);
    }));

  test("S-7 words are words: nothing in them is a shell's to read", () =>
    withProc(async (proc) => {
      const end = await proc.run(echo("$(touch made) `id` ; && $HOME"));
      assert.ok(end.stdout.text.endsWith("$(touch made) `id` ; && $HOME\n"));
    }));
}
