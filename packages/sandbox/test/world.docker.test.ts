import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { isAppError } from "@gantry/contracts";
import type { OpenWorldOptions } from "../src/types.ts";
import { bash, say, skip, until, useBench } from "./support/bench.ts";

describe("a world", { skip, concurrency: 2 }, () => {
  const bench = useBench();
  const ids = (): OpenWorldOptions => ({
    orgId: randomUUID(),
    worldId: randomUUID(),
    sessionId: randomUUID(),
    workspaceId: randomUUID(),
    epoch: 1,
    mode: "workspace-write",
  });

  test("EX-016 a command sees an environment of ours and nothing of the control plane", async () => {
    const world = await bench.open();
    const names = (await say(world, "env | cut -d= -f1 | sort")).split("\n");
    const expected = [
      "GIT_PAGER",
      "HOME",
      "LANG",
      "LOGNAME",
      "NO_COLOR",
      "PAGER",
      "PATH",
      "PWD",
      "SHELL",
      "SHLVL",
      "TERM",
      "TMPDIR",
      "USER",
      "_",
    ];
    assert.deepEqual(names, expected);
    const removed = await world.proc
      .run({ argv: ["env"], env: { PATH: null, ADDED: "yes" }, capture: { maxBytes: 1000 } })
      .catch((e: Error) => e);
    assert.ok(!(removed instanceof Error) && /^ADDED=yes$/m.test(removed.stdout.text) && !/^PATH=/m.test(removed.stdout.text));
  });

  test("EX-013 a run cancelled before it has a process is ended all the same", async () => {
    const world = await bench.open();
    const cancel = new AbortController();
    const run = world.proc.run({ argv: ["sleep", "600"], capture: { maxBytes: 100 }, signal: cancel.signal });
    cancel.abort();
    const result = await run;
    assert.equal(result.aborted, true);
    assert.equal(result.timedOut, false);
    assert.equal(await say(world, "pgrep -c sleep || true"), "0");
  });

  test("opening a world again joins it: same processes, same files", async () => {
    const options = ids();
    const first = await bench.open(options);
    const pid = await say(first, "sleep 300 & echo $!");
    first.detach();
    assert.equal((await first.closed).reason, "it was let go");
    const second = await bench.open({ ...options, epoch: 2 });
    assert.equal(await say(second, `cat /proc/${pid}/comm`), "sleep");
    assert.equal((await bench.client.listWorlds()).filter(({ worldId }) => worldId === options.worldId).length, 1);
  });

  test("a keyed run goes on without its worker, and a repeat with the key joins it", async () => {
    const options = ids();
    const first = await bench.open(options);
    const command = { argv: ["bash", "-c", "echo run >> count; until [ -e go ]; do sleep 0.05; done; cat count"], key: "call-1" };
    const lost = first.proc.run({ ...command, capture: { maxBytes: 1000 } }).catch((error: unknown) => error);
    await until(async () => (await first.fs.stat(await first.fs.resolve("count"))) !== null, "the run has begun");
    first.detach();
    assert.ok(isAppError(await lost, "SANDBOX_LOST"));
    const second = await bench.open({ ...options, epoch: 2 });
    const joined = second.proc.run({ ...command, capture: { maxBytes: 1000 } });
    await bash(second, "touch go");
    assert.equal((await joined).stdout.text, "run\n");
    assert.equal((await second.proc.run({ ...command, capture: { maxBytes: 1000 } })).stdout.text, "run\n", "its result is kept");
  });

  test("I4 a worker of a lower epoch is refused, by the broker and by sandboxd", async () => {
    const options = ids();
    const current = await bench.open({ ...options, epoch: 5 });
    await assert.rejects(bench.open({ ...options, epoch: 4 }), (error) => isAppError(error, "SANDBOX_FENCED"));
    assert.equal(await say(current, "echo still here"), "still here");
    // a broker that has lost its memory: sandboxd remembers
    current.detach();
    const record = bench.broker.worlds.get(options.worldId);
    record.request = { ...record.request, epoch: 0 };
    await assert.rejects(bench.open({ ...options, epoch: 3 }), (error) => isAppError(error, "SANDBOX_FENCED"));
  });

  test("I4 the newer worker ends the older one's connection", async () => {
    const options = ids();
    const older = await bench.open(options);
    const newer = await bench.open({ ...options, epoch: 2 });
    await older.closed;
    await assert.rejects(bash(older, "true"), (error) => isAppError(error, "SANDBOX_LOST"));
    assert.equal(await say(newer, "echo mine"), "mine");
  });

  test("SC-S6 kill -9 -1 a hundred times leaves the world up", async () => {
    const world = await bench.open();
    const results = [];
    for (let round = 0; round < 100; round += 1) results.push((await bash(world, "kill -9 -1; kill -9 1; echo unreachable")).exitCode);
    assert.equal(results.length, 100);
    assert.equal(await say(world, "echo alive"), "alive");
    assert.match(await say(world, "cat /proc/1/environ /proc/$(pgrep -o node)/environ 2>&1; true"), /Permission denied/);
  });

  test("CP-19 the end of a container says why: the caller learns of it at once", async () => {
    const options = ids();
    const world = await bench.open(options);
    const running = bash(world, "sleep 300").catch((error: unknown) => error);
    await bench.client.stopWorld(options.worldId);
    assert.ok(isAppError(await running, "SANDBOX_LOST"));
    assert.match((await world.closed).reason, /stopped/);
    const again = await bench.open({ ...options, epoch: 2 });
    assert.equal(await say(again, "echo new life"), "new life");
  });

  test("files outlive the world; sessions of a workspace have their own uid and can change each other's files", async () => {
    const workspaceId = randomUUID();
    const a = await bench.open({ workspaceId });
    const b = await bench.open({ workspaceId });
    await bash(a, "mkdir dir && echo one > dir/file && git init -q . && git add . && git commit -qm first");
    assert.equal(await say(b, "echo two >> dir/file && git commit -qam second && git log --oneline | wc -l"), "2");
    assert.equal(await say(a, "cat dir/file"), "one\ntwo");
    assert.notEqual(await say(a, "id -u"), await say(b, "id -u"));
    assert.equal(await say(a, "whoami"), "agent");
  });

  test("modes are mounts: read-only cannot write, danger-full-access can write below /usr/local, neither is root", async () => {
    const workspaceId = randomUUID();
    const writer = await bench.open({ workspaceId });
    await bash(writer, "echo kept > file");
    const reader = await bench.open({ workspaceId, mode: "read-only" });
    assert.match((await bash(reader, "cat file; echo x > file")).stderr.text, /Read-only file system/);
    await assert.rejects(reader.fs.writeText(await reader.fs.resolve("new"), "x"), { code: "FS_SANDBOX_DENIED" });
    assert.match((await bash(writer, "touch /usr/local/bin/x")).stderr.text, /Read-only file system/);
    const full = await bench.open({ workspaceId, mode: "danger-full-access" });
    assert.equal(
      await say(full, "touch /usr/local/bin/tool && echo yes; touch /usr/bin/x || echo no; id -u | grep -c '^0$' || true"),
      "yes\nno\n0",
    );
  });

  test("a different request for a running world is a conflict, not another world", async () => {
    const options = ids();
    await bench.open(options);
    await assert.rejects(bench.open({ ...options, workspaceId: randomUUID() }), (error) => isAppError(error, "CONFLICT"));
  });
});
