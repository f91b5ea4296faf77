import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import Docker from "dockerode";
import * as sandboxed from "../src/plugins/subprocess-sandbox.ts";
import type { WorldOwner } from "../src/seams.ts";
import type { RunOptions, SandboxProc, World } from "../src/types.ts";
import { skip, useBench } from "./support/bench.ts";
import { subprocessContract, withProvided } from "./support/subprocess-contract.ts";

describe("the sandbox as provider of subprocess", { skip }, () => {
  const bench = useBench();
  let world: Promise<World> | undefined;
  subprocessContract(sandboxed, async () => {
    world ??= bench.open();
    const opened = await world;
    return { orgId: "org", sessionId: "session", world: async () => opened, sandboxMode: () => "workspace-write" };
  });
});

describe("a command whose connection ends", { skip }, () => {
  const bench = useBench();
  const command = (line: string, more: Partial<RunOptions> = {}): RunOptions => ({
    argv: ["bash", "-c", line],
    timeoutMs: 120_000,
    capture: { maxBytes: 1_000 },
    ...more,
  });

  test("CP-03 runs on while the broker is restarted, and its caller gets the true result", () =>
    withProc(async (proc) => {
      const running = proc.run(command("echo once >> file; until [ -e go ]; do sleep 0.1; done; cat file", { key: "call" }));
      await proc.run(command("until [ -e file ]; do sleep 0.1; done"));
      await bench.restartBroker();
      await proc.run(command("touch go"));
      const { exitCode, stdout } = await running;
      assert.deepEqual([exitCode, stdout.text], [0, "once\n"]);
    }));

  test("CP-03 can still be stopped by who waits for it", () =>
    withProc(async (proc) => {
      const stop = new AbortController();
      const running = proc.run(command("touch up; sleep 120", { key: "call", signal: stop.signal }));
      await proc.run(command("until [ -e up ]; do sleep 0.1; done"));
      await bench.restartBroker();
      await proc.run(command("true"));
      stop.abort();
      assert.equal((await running).aborted, true);
    }));

  test("CP-19 is lost with its container, and not run again", () =>
    withProc(async (proc, worldId) => {
      const running = assert.rejects(proc.run(command("echo once >> file; sleep 120", { key: "call" })), { code: "SANDBOX_LOST" });
      await proc.run(command("until [ -e file ]; do sleep 0.1; done"));
      await new Docker().getContainer(`gantry-${worldId}`).kill();
      await running;
      assert.equal((await proc.run(command("cat file; pgrep -c sleep"))).stdout.text, "once\n0\n");
    }));

  /** The seam over a world that is opened again when its connection has ended, as the agent does. */
  async function withProc(use: (proc: SandboxProc, worldId: string) => Promise<void>): Promise<void> {
    const ids = { orgId: randomUUID(), worldId: randomUUID(), sessionId: randomUUID(), workspaceId: randomUUID() };
    let opened: Promise<World> | undefined;
    const open = async (): Promise<World> => {
      if (opened && !(await opened).isOpen) opened = undefined;
      opened ??= bench.open(ids);
      return opened;
    };
    const owner: WorldOwner = { ...ids, world: open, sandboxMode: () => "workspace-write" };
    await withProvided(sandboxed, owner, (proc) => use(proc, ids.worldId));
  }
});
