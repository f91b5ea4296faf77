import { aptInstall, canInstall } from "./apt.mjs";
import { findDaemon, startDaemon, stopDaemon, tailOfLog } from "./daemon.mjs";
import { findProgram, run } from "./run.mjs";
import { waitFor } from "./wait.mjs";

const lost = "Sessions can be opened and read, but no tool can run: agents have no sandbox to work in.";

/**
 * Looks for a Docker engine; as root on Debian it installs and starts one.
 * An engine that was already there is used and never stopped.
 * @param {{ dataDir: string, keep?: boolean }} options
 * @returns {Promise<{ available: boolean, remark: string, stop: () => Promise<void> }>} `remark` says what is missing and what it costs
 */
export async function ensureDocker({ dataDir, keep = false }) {
  const leave = async () => {};
  if (await isEngineUp()) {
    const ours = findDaemon(dataDir, "dockerd");
    return { available: true, remark: `engine ${await engineVersion()}`, stop: ours && !ours.keep ? () => stopEngine(dataDir) : leave };
  }
  if (process.getuid?.() !== 0) {
    const why = findProgram("docker")
      ? "the Docker engine does not answer (is it running, and may this user use it?)"
      : "Docker is not installed";
    return { available: false, remark: `${why}. ${lost}`, stop: leave };
  }
  if (!findProgram("dockerd") || !findProgram("iptables")) {
    if (!canInstall()) return { available: false, remark: `Docker is not installed. ${lost}`, stop: leave };
    await aptInstall(["docker.io", "iptables"]);
    if (await isEngineUp()) return { available: true, remark: `engine ${await engineVersion()}, installed`, stop: leave };
  }
  return startEngine({ dataDir, keep });
}

async function startEngine({ dataDir, keep }) {
  startDaemon({ dataDir, name: "dockerd", file: findProgram("dockerd"), args: [], keep });
  const settled = async () => (await isEngineUp()) || (findDaemon(dataDir, "dockerd") ? null : "ended");
  const state = await waitFor(settled, { limitMs: 60_000, everyMs: 250, what: "the start" }).catch(() => "silent");
  if (state === true) return { available: true, remark: `engine ${await engineVersion()}, started`, stop: () => stopEngine(dataDir) };
  await stopEngine(dataDir);
  return {
    available: false,
    remark: `dockerd did not start (${state}). ${lost}\n${tailOfLog(dataDir, "dockerd", 4)}`,
    stop: async () => {},
  };
}

const stopEngine = (dataDir) => stopDaemon(dataDir, "dockerd", { graceMs: 30_000 });

async function isEngineUp() {
  const docker = findProgram("docker");
  if (!docker) return false;
  return (await run(docker, ["info", "--format", "{{.ServerVersion}}"], { limitMs: 15_000 })).code === 0;
}

async function engineVersion() {
  return (await run(findProgram("docker"), ["version", "--format", "{{.Server.Version}}"], { limitMs: 15_000 })).stdout.trim();
}
