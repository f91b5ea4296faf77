// Faults by the hundred over two workers: kill -9, pauses beyond the lease, Redis restarts and FLUSHALL, immediate restarts of Postgres.
//   npm run bench -- crash [cycles] [seed] [unfenced|shipped]      services of its own, so nothing else is hit
import { createRedis, loadEnv, overrideEnv } from "@gantry/platform";
import { openTestDatabase } from "@gantry/testing/db";
import { type Fault, startHarness } from "../../apps/worker/test/support/crash-harness.ts";
import { stopDaemon } from "../scripts/lib/daemon.mjs";
import { ensurePostgres } from "../scripts/lib/postgres.mjs";
import { ensureRedis } from "../scripts/lib/redis.mjs";
import { isPortFree, waitFor } from "../scripts/lib/wait.mjs";

const [cycles = 1_200, seed = 1] = process.argv.slice(2, 4).map(Number);
const [isUnfenced, isShipped] = ["unfenced", "shipped"].map((mode) => process.argv[4] === mode);
overrideEnv({ LOG_LEVEL: "silent" });
// of the services, not of the database that is made below
const dataDir = loadEnv().GANTRY_DATA_DIR;
const counts: Record<Fault, number> = { kill: 0, both: 0, pause: 0, flush: 0, redis: 0, postgres: 0 };

/** What comes at which place of 48 faults; the others are kills, so 1,200 faults make over 1,000 of those. */
const placed: Readonly<Record<number, Fault>> = {
  5: "pause",
  8: "both",
  11: "redis",
  17: "pause",
  23: "flush",
  29: "pause",
  32: "both",
  35: "redis",
  41: "pause",
  47: "postgres",
};
function faultOf(cycle: number): Fault {
  const fault = isUnfenced ? "pause" : isShipped ? "kill" : (placed[cycle % 48] ?? "kill");
  counts[fault] += 1;
  return fault;
}

/** Stops a store; its port is free afterwards, so that it comes back where its users look for it. */
async function stopStore(name: "redis" | "postgres", signal: NodeJS.Signals): Promise<void> {
  const port = Number(new URL(name === "redis" ? loadEnv().REDIS_URL : loadEnv().DATABASE_URL).port);
  await stopDaemon(dataDir, name, { signal });
  await waitFor(() => isPortFree(port), { limitMs: 20_000, what: `the port of ${name}` });
}

async function restartRedis(): Promise<void> {
  await stopStore("redis", "SIGKILL");
  await ensureRedis({ dataDir, ephemeral: true });
}

async function flush(): Promise<void> {
  const redis = createRedis("producer");
  await redis.flushall();
  redis.disconnect();
}

/** As `pg_ctl restart -m immediate`: no connection is told, and the log is replayed. */
async function restartPostgres(): Promise<void> {
  await stopStore("postgres", "SIGQUIT");
  await ensurePostgres({ dataDir, ephemeral: true, durable: true });
}

const db = await openTestDatabase({ GANTRY_ALLOW_PRIVATE_HOSTS: "1" });
const faults = { flush, redis: restartRedis, postgres: restartPostgres };
const harness = await startHarness({ db, sessions: 20, steps: isUnfenced ? 60 : 8, seed, isUnfenced, isShipped, faultOf, faults });
const started = performance.now();
try {
  for (let done = 0; done < cycles; done += 50) {
    await harness.run(Math.min(50, cycles - done), done);
    console.log(`${Math.min(done + 50, cycles)} faults in ${seconds(performance.now() - started)} s`);
  }
  const { broken, unrecorded, doubleEnds, unfinished, ...seen } = await harness.finish(120_000);
  console.log(`faults ${JSON.stringify(counts)}, seed ${seed}`);
  console.log(`looked at ${JSON.stringify(seen)}`);
  const sorted = harness.recoveries.toSorted((a, b) => a - b);
  const at = (share: number) => seconds(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN);
  console.log(
    `${sorted.length} sessions of killed workers held again after p50 ${at(0.5)} s, p95 ${at(0.95)} s, longest ${at(1)} s (bar: 10 and 20)`,
  );
  const bad = {
    "lost or out of order (I1)": broken,
    "run without a record or twice (I2)": unrecorded,
    "ended twice (I3)": doubleEnds,
    "not at rest": unfinished,
  };
  for (const [what, which] of Object.entries(bad))
    console.log(
      `${what}: ${which.length}${which
        .slice(0, 5)
        .map((line) => `\n  ${line}`)
        .join("")}`,
    );
  process.exitCode = Object.values(bad).some((which) => which.length > 0) ? 1 : 0;
} finally {
  await harness.close();
  await db.close();
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
