import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { aptInstall, aptUnpack, canInstall } from "./apt.mjs";
import { findDaemon, startDaemon, tailOfLog } from "./daemon.mjs";
import { Failure } from "./failure.mjs";
import { findProgram } from "./run.mjs";
import { keptSecret } from "./secrets.mjs";
import { freePort, isListening, isPortFree, waitFor } from "./wait.mjs";

/**
 * Brings up Redis: the one of REDIS_URL when that is set, else an own server below the data folder.
 * @param {{ dataDir: string, ephemeral?: boolean, keep?: boolean }} options
 * @returns {Promise<{ url: string, remark: string }>}
 */
export async function ensureRedis({ dataDir, ephemeral = false, keep = false }) {
  if (process.env.REDIS_URL && !ephemeral) return { url: process.env.REDIS_URL, remark: "as set by REDIS_URL" };
  const running = findDaemon(dataDir, "redis");
  const port = running?.port ?? (await startServer({ dataDir, ephemeral, keep }));
  const isReady = () => {
    if (!findDaemon(dataDir, "redis")) throw new Failure(`Redis ended while it started:\n${tailOfLog(dataDir, "redis")}`);
    return isListening(port);
  };
  await waitFor(isReady, { limitMs: 30_000, what: "Redis' start" });
  const url = `redis://:${keptSecret(dataDir, "redis")}@127.0.0.1:${port}`;
  return { url, remark: `${running ? "already running" : "started"} on 127.0.0.1:${port}` };
}

async function startServer({ dataDir, ephemeral, keep }) {
  const { file, env } = await findServer(dataDir);
  const dir = path.join(dataDir, "redis");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const portFile = path.join(dataDir, "redis.port");
  const last = existsSync(portFile) ? Number(readFileSync(portFile, "utf8")) : 0;
  const port = last && (await isPortFree(last)) ? last : await freePort();
  writeFileSync(portFile, String(port));
  // A file, because the password must not show in the process list. noeviction: an evicted key is a lost queue job.
  const settings = [
    "bind 127.0.0.1",
    `port ${port}`,
    `dir "${dir}"`,
    "maxmemory-policy noeviction",
    "appendonly no",
    ephemeral ? 'save ""' : "save 60 1",
    `requirepass ${keptSecret(dataDir, "redis")}`,
  ];
  const config = path.join(dir, "redis.conf");
  writeFileSync(config, `${settings.join("\n")}\n`, { mode: 0o600 });
  startDaemon({ dataDir, name: "redis", file, args: [config], env, keep, port });
  return port;
}

/** The system's server, else one from apt: installed as root, unpacked into the data folder otherwise. */
async function findServer(dataDir) {
  const system = findProgram("redis-server");
  if (system) return { file: system, env: process.env };
  if (canInstall()) {
    await aptInstall(["redis-server"]);
    return { file: findProgram("redis-server"), env: process.env };
  }
  if (!findProgram("apt-get")) {
    throw new Failure("Redis is missing. Install redis-server (7 or newer) or set REDIS_URL.");
  }
  return unpackServer(path.join(dataDir, "redis-server"));
}

async function unpackServer(dir) {
  const tree = path.join(dir, "root");
  // Debian's redis-server is a link to redis-check-rdb of redis-tools: one program that looks at its own name
  const file = path.join(tree, "usr", "bin", "redis-server");
  if (!existsSync(file))
    await aptUnpack(["redis-server", "redis-tools", "libjemalloc2", "liblua5.1-0", "liblzf1", "lua-bitop", "lua-cjson"], dir);
  const libraries = ["usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu", "lib/x86_64-linux-gnu"].map((part) => path.join(tree, part));
  return { file, env: { ...process.env, LD_LIBRARY_PATH: libraries.join(":") } };
}
