import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { findDaemon, startDaemon, stopDaemon } from "../lib/daemon.mjs";
import { ensurePostgres } from "../lib/postgres.mjs";
import { ensureRedis } from "../lib/redis.mjs";
import { watchServices } from "../lib/service-watch.mjs";
import { freePort, isListening, waitFor } from "../lib/wait.mjs";

let dataDir;
const names = ["postgres", "redis", "sleeper"];
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "gantry-watch-"));
});
afterEach(async () => {
  for (const name of names) await stopDaemon(dataDir, name, { signal: "SIGINT" });
  rmSync(dataDir, { recursive: true, force: true });
});

const fast = { everyMs: 20, firstDelayMs: 20, longestDelayMs: 500 };

test("Postgres and Redis that are killed come back at their ports and answer; none after the stop", { timeout: 300_000 }, async () => {
  const postgres = () => ensurePostgres({ dataDir, ephemeral: true });
  const redis = () => ensureRedis({ dataDir, ephemeral: true });
  const [before] = [await Promise.all([postgres(), redis()])];
  const watch = watchServices({
    dataDir,
    services: [
      { name: "postgres", start: postgres },
      { name: "redis", start: redis },
    ],
    ...fast,
  });
  for (const name of ["postgres", "redis"]) {
    const first = findDaemon(dataDir, name);
    process.kill(first.pid, "SIGKILL");
    const isBack = async () => {
      const now = findDaemon(dataDir, name);
      return now && now.pid !== first.pid && now.port === first.port && (await isListening(now.port));
    };
    await waitFor(isBack, { limitMs: 60_000, what: `the return of ${name}` });
  }
  assert.deepEqual(await Promise.all([postgres(), redis()]).then(withoutRemarks), withoutRemarks(before));
  await watch.stop();
  const { pid } = findDaemon(dataDir, "redis");
  process.kill(pid, "SIGKILL");
  await waitFor(() => findDaemon(dataDir, "redis") === null, { limitMs: 60_000, what: "the end" });
  await waitFor(
    steady(() => findDaemon(dataDir, "redis") === null),
    { limitMs: 60_000, what: "staying away" },
  );
});

test("a service that does not start is tried again with growing delays", async () => {
  const port = await freePort();
  const program = { file: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"], port };
  const up = () => startDaemon({ dataDir, name: "sleeper", ...program });
  up();
  const tries = [];
  const start = async () => {
    tries.push(performance.now());
    if (tries.length < 4) throw new Error("no room on the disk");
    up();
  };
  const watch = watchServices({ dataDir, services: [{ name: "sleeper", start }], ...fast });
  process.kill(findDaemon(dataDir, "sleeper").pid, "SIGKILL");
  await waitFor(() => tries.length === 4 && findDaemon(dataDir, "sleeper"), { limitMs: 60_000, what: "the fourth try" });
  await watch.stop();
  const pauses = tries.slice(1).map((at, index) => at - tries[index]);
  for (const [index, ms] of pauses.entries()) assert.ok(ms >= fast.firstDelayMs * 2 ** (index + 1), `pause ${index + 1} took ${ms} ms`);
});

test("a service that was not started here is left to whoever runs it", async () => {
  const watch = watchServices({
    dataDir,
    services: [{ name: "sleeper", start: () => assert.fail("started a stranger's service") }],
    ...fast,
  });
  await watch.stop();
  assert.equal(findDaemon(dataDir, "sleeper"), null);
});

const withoutRemarks = (found) => found.map(({ remark: _remark, ...rest }) => rest);

/** True once `probe` has held twenty times in a row. */
function steady(probe) {
  let held = 0;
  return () => {
    held = probe() ? held + 1 : 0;
    return held === 20;
  };
}
