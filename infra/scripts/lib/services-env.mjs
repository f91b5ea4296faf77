import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { keptSecret, newMasterKey } from "./secrets.mjs";

/** `sun_path` of a unix socket holds 108 bytes; a deeper folder needs a shorter way to the socket. */
const longestSocketPath = 100;

/**
 * The environment of Gantry's processes over one data folder. What the caller's environment sets wins.
 * @param {{ dataDir: string, url: string, postgres: { urls: object }, redis: { url: string } }} options
 */
export function installationEnv({ dataDir, url, postgres, redis }) {
  for (const dir of ["run", "objects", "volumes", "logs"]) mkdirSync(path.join(dataDir, dir), { recursive: true });
  const made = {
    GANTRY_MASTER_KEY: process.env.GANTRY_MASTER_KEY || keptSecret(dataDir, "master-key", newMasterKey),
    NEXTAUTH_SECRET: process.env.NEXTAUTH_SECRET || keptSecret(dataDir, "nextauth-secret"),
    NEXTAUTH_URL: process.env.NEXTAUTH_URL || url,
    GANTRY_BROKER_SOCKET: process.env.GANTRY_BROKER_SOCKET || brokerSocket(dataDir),
    // the operator's own machine: a model server beside Gantry (Ollama, vLLM) is the usual case
    GANTRY_ALLOW_PRIVATE_HOSTS: process.env.GANTRY_ALLOW_PRIVATE_HOSTS || "1",
    GANTRY_SANDBOXD_DIR: process.env.GANTRY_SANDBOXD_DIR || path.join(dataDir, "sandboxd"),
  };
  return { ...postgres.urls, REDIS_URL: redis.url, GANTRY_DATA_DIR: dataDir, ...made };
}

/** Writes variables as a file that a shell can source and `node --env-file` can read (mode 0600). */
export function writeEnvFile(file, env) {
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
}

/**
 * Leaves the variables of the running installation below its data folder, for the operator's commands.
 * @returns a function that takes them away
 */
export function publishEnv(env) {
  const file = path.join(env.GANTRY_DATA_DIR, "run", "installation.env");
  writeEnvFile(file, env);
  return () => rmSync(file, { force: true });
}

function brokerSocket(dataDir) {
  const inside = path.join(dataDir, "run", "broker.sock");
  if (inside.length <= longestSocketPath) return inside;
  const tag = keptSecret(dataDir, "socket-tag").slice(0, 12);
  const dir = path.join("/tmp", `gantry-${tag}`);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return path.join(dir, "broker.sock");
}
