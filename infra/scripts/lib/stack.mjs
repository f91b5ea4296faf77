import { readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { logFile } from "./daemon.mjs";
import { inRoot, projectNode, root } from "./paths.mjs";
import { step } from "./progress.mjs";
import { installWebBuild } from "./web-build.mjs";

/** What the broker may know: paths and limits, no database address, no key. */
const brokerVariables = [
  ...["PATH", "HOME", "TZ", "LANG", "NODE_EXTRA_CA_CERTS", "DOCKER_HOST", "LOG_LEVEL"],
  ...[
    "GANTRY_DATA_DIR",
    "GANTRY_BROKER_SOCKET",
    "GANTRY_SANDBOX_IMAGE",
    "GANTRY_SANDBOXD_DIR",
    "WORKSPACE_QUOTA_MB",
    "GANTRY_ALLOW_UNQUOTED",
  ],
];

/**
 * Where Node keeps what it made of our TypeScript: the next start of a worker takes a fraction of the time, and some 20 MB less, for nothing is
 * translated again. By content, so an old one does no harm.
 */
const codeCache = inRoot("node_modules", ".cache", "node");
/** Young objects are collected before they fill Node's usual 16 MB: a worker takes 20 MB less, and a few percent more time. */
const youngSpace = "--max-semi-space-size=4";

/**
 * Starts broker, worker and web over services that are up, each when the one before it answers.
 * @param {{ supervisor: ReturnType<import("./supervisor.mjs").createSupervisor>, env: Record<string, string>, port: number, host: string, web?: boolean }} options
 *   `web`: false for a benchmark of the worker alone
 */
export async function startStack({ supervisor, env, port, host, web = true }) {
  const dataDir = env.GANTRY_DATA_DIR;
  const all = { ...process.env, ...env, NODE_ENV: "production" };
  const { MIGRATION_DATABASE_URL: _ownerOnly, ...served } = all;
  const spec = { file: projectNode, cwd: root };
  const brokerEnv = Object.fromEntries(brokerVariables.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]));
  await step("Broker", () =>
    supervisor.start({
      ...spec,
      name: "broker",
      args: [inRoot("packages", "sandbox", "src", "broker", "main.ts")],
      env: { ...brokerEnv, NODE_ENV: "production" },
      isReady: () => acceptsConnections(env.GANTRY_BROKER_SOCKET),
    }),
  );
  const isWorkerReady = saysReady(logFile(dataDir, "worker"));
  await step("Worker", () =>
    supervisor.start({
      ...spec,
      name: "worker",
      args: [youngSpace, inRoot("apps", "worker", "src", "main.ts")],
      env: { NODE_COMPILE_CACHE: codeCache, DRAIN_MS: "5000", ...served }, // a person waits for the stop
      isReady: isWorkerReady,
    }),
  );
  if (!web) return;
  await step("Web", () =>
    supervisor.start({
      ...spec,
      name: "web",
      args: [installWebBuild(dataDir)],
      env: { ...served, PORT: String(port), HOSTNAME: host, NEXT_TELEMETRY_DISABLED: "1" },
      isReady: () => answersWell(`http://${reachable(host)}:${port}/api/health/ready`),
    }),
  );
}

/** How this machine itself reaches what listens on `host`. */
function reachable(host) {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

function acceptsConnections(socketPath) {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once("connect", () => socket.end(() => resolve(true)));
    socket.once("error", () => resolve(false));
  });
}

/** True as soon as the log has a line with the word "ready" that was not there when this was called. */
function saysReady(file) {
  const from = sizeOf(file);
  return () => sizeOf(file) > from && readFileSync(file).subarray(from).includes("ready");
}

const sizeOf = (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

async function answersWell(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
