import { mkdirSync } from "node:fs";
import { findDaemon, stopDaemon } from "./daemon.mjs";
import { ensureDocker } from "./docker.mjs";
import { ensurePostgres } from "./postgres.mjs";
import { say, step } from "./progress.mjs";
import { ensureRedis } from "./redis.mjs";
import { watchServices } from "./service-watch.mjs";
import { installationEnv } from "./services-env.mjs";
import { removeWorlds } from "./worlds.mjs";

/**
 * Everything that may run over a data folder, in the order of starting. SIGINT is Postgres' fast shutdown: it ends sessions
 * instead of waiting for them. A worker gets time to write down where its sessions stand.
 */
const services = [
  { name: "postgres", signal: "SIGINT", graceMs: 20_000 },
  { name: "redis", signal: "SIGTERM", graceMs: 10_000 },
  { name: "dockerd", signal: "SIGTERM", graceMs: 30_000 },
];
const processes = [
  { name: "broker", signal: "SIGTERM", graceMs: 20_000 },
  { name: "worker", signal: "SIGTERM", graceMs: 30_000 },
  { name: "web", signal: "SIGTERM", graceMs: 10_000 },
];

/**
 * Brings up Postgres, Redis and the Docker engine and says how to reach them.
 * @param {{ dataDir: string, url: string, ephemeral?: boolean, durable?: boolean, keep?: boolean, docker?: boolean }} options
 *   `url`: the address browsers will use; `ephemeral`: own services whatever the environment names, and no care for durability
 *   unless `durable`;
 *   `keep`: they stay when a later start that uses them stops
 * @returns {Promise<{ env: Record<string, string>, docker: { available: boolean, remark: string } }>}
 */
export async function startServices({ dataDir, url, ephemeral, durable, keep, docker: wantsDocker = true }) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  let postgres;
  let redis;
  let docker = { available: false, remark: "not asked for" };
  await step("PostgreSQL", async () => {
    postgres = await ensurePostgres({ dataDir, ephemeral, durable, keep });
    return postgres.remark;
  });
  await step("Redis", async () => {
    redis = await ensureRedis({ dataDir, ephemeral, keep });
    return redis.remark;
  });
  if (wantsDocker) {
    await step("Docker", async () => {
      docker = await ensureDocker({ dataDir, keep });
      return docker.remark;
    });
  }
  return { env: installationEnv({ dataDir, url, postgres, redis }), docker };
}

/**
 * Starts Postgres and Redis again whenever they end while the app runs over them.
 * @param {{ dataDir: string }} options
 */
export const keepServices = ({ dataDir }) =>
  watchServices({
    dataDir,
    services: [
      { name: "postgres", start: () => ensurePostgres({ dataDir }) },
      { name: "redis", start: () => ensureRedis({ dataDir }) },
    ],
  });

/**
 * Stops what runs over a data folder, last started first, also what a killed start has left there.
 * @param {{ kept?: boolean }} [options] `kept`: also what was started to stay
 */
export async function stopEverything(dataDir, { kept = false } = {}) {
  await stopDaemons(dataDir, processes, kept);
  await stopWorlds(dataDir);
  await stopDaemons(dataDir, services, kept);
}

/** Stops broker, worker and web that a killed start has left; the services can be used again as they are. */
export async function stopLeftProcesses(dataDir) {
  await stopDaemons(dataDir, processes, false);
}

async function stopDaemons(dataDir, daemons, kept) {
  for (const { name, signal, graceMs } of [...daemons].reverse()) {
    const state = findDaemon(dataDir, name);
    if (!state || (state.keep && !kept)) continue;
    say(`Stopping ${name} …`);
    await stopDaemon(dataDir, name, { signal, graceMs }).catch((error) => say(`${name}: ${error.message}`));
  }
}

/** After the broker, which would start what is missing, and before the engine. */
async function stopWorlds(dataDir) {
  const count = await removeWorlds(dataDir);
  if (count > 0) say(`Removed ${count === 1 ? "1 sandbox container" : `${count} sandbox containers`}; the files stay.`);
}
