import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { findDaemon, isAlive, startDaemon, stopDaemon, tailOfLog, writeState } from "../lib/daemon.mjs";
import { lockInstance } from "../lib/instance-lock.mjs";
import { createSupervisor } from "../lib/supervisor.mjs";
import { waitFor } from "../lib/wait.mjs";

let dataDir;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "gantry-daemon-"));
});
afterEach(async () => {
  await stopDaemon(dataDir, "sleeper");
  rmSync(dataDir, { recursive: true, force: true });
});

const node = (code) => ({ file: process.execPath, args: ["-e", code] });
const stays = node("setInterval(() => {}, 1000)");

test("a later start finds the daemon that runs, and only that process", async () => {
  startDaemon({ dataDir, name: "sleeper", ...stays, keep: true });
  const found = findDaemon(dataDir, "sleeper");
  assert.equal(found.keep, true);
  assert.equal(isAlive({ ...found, born: "1" }), false, "another process with the same pid is not it");
  await stopDaemon(dataDir, "sleeper");
  assert.equal(isAlive(found), false);
  assert.equal(findDaemon(dataDir, "sleeper"), null);
});

test("a daemon that ignores TERM is killed after its grace", async () => {
  startDaemon({ dataDir, name: "sleeper", ...node("process.on('SIGTERM', () => {}); console.log('deaf'); setInterval(() => {}, 1000)") });
  await waitFor(() => tailOfLog(dataDir, "sleeper").includes("deaf"), { limitMs: 60_000, what: "the start" });
  await stopDaemon(dataDir, "sleeper", { graceMs: 100 });
  assert.equal(findDaemon(dataDir, "sleeper"), null);
});

test("a process that crashes after its start is started again; none after release", async () => {
  const supervisor = createSupervisor({ dataDir });
  await supervisor.start({ name: "sleeper", ...stays, isReady: () => findDaemon(dataDir, "sleeper") !== null });
  const first = findDaemon(dataDir, "sleeper").pid;
  process.kill(first, "SIGKILL");
  const newPid = () => [findDaemon(dataDir, "sleeper")?.pid].find((pid) => pid !== first);
  const second = await waitFor(newPid, { limitMs: 60_000, what: "the second start" });
  supervisor.release();
  process.kill(second, "SIGKILL");
  await waitFor(() => findDaemon(dataDir, "sleeper") === null, { limitMs: 60_000, what: "the end" });
});

test("a process that ends before it is ready fails the start with its last words", async () => {
  const supervisor = createSupervisor({ dataDir });
  const start = supervisor.start({ name: "sleeper", ...node("console.error('no such key'); process.exit(3)"), isReady: () => false });
  await assert.rejects(start, /sleeper did not start \(code 3\):\nno such key/);
});

test("a second start over the same data folder is refused and names the first", () => {
  startDaemon({ dataDir, name: "sleeper", ...stays });
  const { pid } = findDaemon(dataDir, "sleeper");
  writeState(dataDir, "start", { pid, url: "http://localhost:3000" });
  assert.throws(() => lockInstance({ dataDir, url: "http://localhost:4000" }), new RegExp(`http://localhost:3000 \\(pid ${pid}\\)`));
});
