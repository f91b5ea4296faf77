import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SpawnError } from "../src/errors.ts";
import { bash, say, skip, until, useBench } from "./support/bench.ts";

const mb = 1024 * 1024;

describe("processes of a world", { skip, concurrency: 2 }, () => {
  const bench = useBench();

  test("exit status, signals and both streams are told apart", async () => {
    const world = await bench.open();
    const failed = await bash(world, "echo out; echo err >&2; exit 3");
    assert.deepEqual([failed.exitCode, failed.signal, failed.stdout.text, failed.stderr.text], [3, null, "out\n", "err\n"]);
    const suicide = await bash(world, "kill -TERM $$");
    assert.deepEqual([suicide.exitCode, suicide.signal, suicide.timedOut, suicide.aborted], [null, "SIGTERM", false, false]);
    assert.equal(await say(world, "cat; readlink /proc/self/fd/0"), "/dev/null");
  });

  test("a program or directory that is not there, or no program at all, is a SpawnError and leaves no process", async () => {
    const world = await bench.open();
    const capture = { maxBytes: 1000 };
    await assert.rejects(world.proc.run({ argv: ["no-such-program"], capture }), SpawnError);
    await assert.rejects(world.proc.run({ argv: [""], capture }), SpawnError);
    await assert.rejects(world.proc.run({ argv: [], capture }), SpawnError);
    await assert.rejects(world.proc.run({ argv: ["true"], cwd: "/workspace/missing", capture }), /does not exist/);
    await bash(world, "touch file");
    await assert.rejects(world.proc.run({ argv: ["true"], cwd: "/workspace/file", capture }), /not a directory/);
    const aborted = await world.proc.run({ argv: ["touch", "made"], capture, signal: AbortSignal.abort() });
    assert.equal(aborted.aborted, true);
    assert.equal(await say(world, "ls"), "file");
  });

  test("a deadline ends the whole group: TERM, grace, KILL; what traps TERM dies too", async () => {
    const world = await bench.open();
    const timeoutMs = 2_000; // long enough for the shell to have set its trap, also on a busy machine
    const result = await bash(world, "trap '' TERM; sleep 300 & sleep 301 & echo started; wait", { timeoutMs, graceMs: 300 });
    assert.deepEqual([result.timedOut, result.aborted, result.stdout.text], [true, false, "started\n"]);
    assert.equal(await say(world, "pgrep -c sleep || true"), "0");
    const tidy = await bash(world, "trap 'echo cleaned; exit 0' TERM; sleep 300 & wait", { timeoutMs, graceMs: 30_000 });
    assert.deepEqual([tidy.timedOut, tidy.exitCode, tidy.stdout.text], [true, 0, "cleaned\n"]);
  });

  test("a grandchild that holds the pipes delays the result by the grace, not more", async () => {
    const world = await bench.open();
    const started = performance.now();
    const result = await bash(world, "sleep 300 & echo done", { graceMs: 400 });
    const ms = performance.now() - started;
    assert.deepEqual([result.exitCode, result.stdout.text], [0, "done\n"]);
    assert.ok(ms >= 350 && ms < 60_000, `${ms} ms`);
    assert.equal(await say(world, "pgrep -c sleep"), "1", "a background process is not killed");
  });

  test("the tail is exact over odd chunks and split characters, and the whole output is in a private file", async () => {
    const world = await bench.open();
    const script = "import sys\nfor i in range(4000): sys.stdout.write('zeile %d \\u00e4\\u20ac\\U0001f600\\n' % i)";
    const whole = Array.from({ length: 4000 }, (_, i) => `zeile ${i} ä€😀\n`).join("");
    const bytes = Buffer.from(whole);
    const capture = { maxBytes: 10_001, spillMaxBytes: 64 * mb };
    const { stdout } = await world.proc.run({ argv: ["python3", "-c", script], capture });
    assert.equal(stdout.truncated, true);
    assert.ok(bytes.subarray(-10_001).toString().endsWith(stdout.text) && Buffer.byteLength(stdout.text) > 10_001 - 4);
    assert.ok(!stdout.text.includes("\ufffd"));
    const file = await world.fs.readText(await world.fs.resolve(stdout.spillPath ?? ""));
    assert.equal(file.text, whole);
    assert.match(await say(world, `stat -c '%a %U' $(dirname ${stdout.spillPath}) ${stdout.spillPath}`), /^700 agent\n600 agent$/);
  });

  test("no file without a spill limit, none when the first chunk is over it, and a file over its limit is dropped", async () => {
    const world = await bench.open();
    const noFile = await world.proc.run({ argv: ["head", "-c", "200000", "/dev/zero"], capture: { maxBytes: 10 } });
    assert.deepEqual([noFile.stdout.truncated, noFile.stdout.spillPath], [true, undefined]);
    const tooLong = await world.proc.run({ argv: ["head", "-c", "3M", "/dev/zero"], capture: { maxBytes: 10, spillMaxBytes: 2 * mb } });
    assert.equal(tooLong.stdout.spillPath, undefined);
    assert.equal(await say(world, "ls /tmp/gantry-spill 2>/dev/null | wc -l"), "0");
  });

  test("output comes as it is made, and an answer longer than a line of the protocol arrives whole", async () => {
    const world = await bench.open();
    let seen = "";
    const run = bash(world, "echo first; until [ -e go ]; do sleep 0.05; done; echo last", {
      onOutput: ({ stream, text }) => {
        if (stream === "stdout") seen += text;
      },
    });
    await until(() => seen === "first\n", "the first line arrived while the command runs");
    await bash(world, "touch go");
    await run;
    assert.equal(seen, "first\nlast\n");
    const large = await world.proc.run({ argv: ["bash", "-c", "seq 3000000"], capture: { maxBytes: 20 * 1000 * 1000 } });
    assert.deepEqual([large.stdout.truncated, large.stdout.text.length], [true, 20_000_000]);
    assert.ok(large.stdout.text.endsWith("\n2999999\n3000000\n"));
  });

  test("SC-R1 a memory bomb dies alone: the result says so and the world answers", async () => {
    const world = await bench.open();
    const bomb = "import time\na=[]\nwhile True: a.append(bytearray(16*1024*1024))";
    const result = await world.proc.run({ argv: ["python3", "-c", bomb], timeoutMs: 120_000, capture: { maxBytes: 1000 } });
    assert.equal(result.signal, "SIGKILL");
    assert.equal(result.outOfMemory, true);
    assert.equal(result.timedOut, false);
    assert.equal(await say(world, "echo alive"), "alive");
  });

  test("SC-R2 a fork bomb stops at the limit, the host forks on, the daemon answers, the deadline ends it", async () => {
    const world = await bench.open();
    const bomb = bash(world, "f(){ f|f& }; f; sleep 60", { timeoutMs: 2_000, graceMs: 200 });
    const [file, host] = await Promise.all([world.fs.resolve("file"), hostForks(50)]);
    await world.fs.writeText(file, "written during the bomb");
    assert.ok(host < 30_000, `50 processes of the host took ${host} ms`);
    assert.equal((await bomb).timedOut, true);
    await until(async () => (await bash(world, "echo ok").catch(() => null))?.stdout.text === "ok\n", "commands run again");
    assert.ok(Number(await say(world, "ls -d /proc/[0-9]* | wc -l")) <= 256);
  });

  test("SC-R2 a bomb that outlives its command does not close the world to the next one", async () => {
    const world = await bench.open();
    const fill =
      "import os, time\nif os.fork(): os._exit(0)\nos.write(1, b'.')\nwhile True:\n try:\n  if not os.fork(): time.sleep(600)\n except OSError: open('full', 'w').close(); time.sleep(0.01)";
    await world.proc.run({ argv: ["python3", "-c", fill], graceMs: 100, capture: { maxBytes: 1000 } });
    const full = await world.fs.resolve("full");
    await until(async () => (await world.fs.stat(full)) !== null, "the world is full");
    await assert.rejects(bash(world, "echo first"), /as many processes as it may have; what earlier commands left running was ended/);
    await until(async () => (await bash(world, "echo ok").catch(() => null))?.stdout.text === "ok\n", "commands run again");
    // ended, and on a busy machine not all of them gone yet
    await until(async () => (await say(world, "pgrep -c python3 || true")) === "0", "nothing of the bomb is left");
  });

  test("a command that is too long to start says so", async () => {
    const world = await bench.open();
    await assert.rejects(
      bash(world, `echo ${"x".repeat(900_000)}`),
      (error) => error instanceof SpawnError && /too long/.test(error.message),
    );
  });
});

// by itself: it measures the memory of this process
describe("floods of a world", { skip }, () => {
  const bench = useBench();

  test("SC-R6 a flood to both streams is read to the end: no disk, no growth, the tail is kept", async () => {
    const world = await bench.open();
    const before = process.memoryUsage().rss;
    let pieces = 0;
    const flood = await bash(world, "yes | head -c 700M; yes | head -c 200M >&2; echo end", {
      timeoutMs: 240_000,
      capture: { maxBytes: 64_000, spillMaxBytes: 64 * mb },
      onOutput: () => {
        pieces += 1;
      },
    }).catch((error: unknown) => error as Error);
    assert.ok(!(flood instanceof Error), String(flood));
    assert.deepEqual([flood.exitCode, flood.timedOut, pieces > 0], [0, false, true]);
    assert.ok(flood.stdout.text.endsWith("y\nend\n") && flood.stdout.text.length === 64_000 && flood.stderr.text.length === 64_000);
    assert.equal(flood.stdout.spillPath, undefined, "over 64 MiB the file is dropped");
    assert.ok(process.memoryUsage().rss - before < 50 * mb);
    assert.equal(await say(world, "du -sk /tmp | cut -f1"), "0");
  });

  test("SC-R7 a worker that stops reading holds up nobody: its command still ends, and the next worker is served", async () => {
    const world = await bench.open();
    // the event loop of this test is the slow reader: nothing is read while it is busy
    const run = bash(world, "for i in 1 2 3 4 5 6 7 8; do seq 200000; done; echo finished > mark", { onOutput: () => {} });
    const stallUntil = Date.now() + 1500;
    while (Date.now() < stallUntil);
    assert.equal((await run).exitCode, 0);
    assert.equal(await say(world, "cat mark"), "finished");
  });
});

async function hostForks(count: number): Promise<number> {
  const { execFile } = await import("node:child_process");
  const started = performance.now();
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => execFile("/bin/true", resolve));
  return performance.now() - started;
}
