import { aptInstall, canInstall } from "./apt.mjs";
import { findDaemon, startDaemon, stopDaemon, tailOfLog } from "./daemon.mjs";
import { findProgram, run } from "./run.mjs";
import { waitFor } from "./wait.mjs";

const lost = "Sessions can be opened and read, but no tool can run: agents have no sandbox to work in.";

/**
 * Looks for a Docker engine; as root on Debian it installs and starts one. An engine that is already there is used as it is:
 * a second one beside it would delete the first one's bridge.
 * @param {{ dataDir: string, keep?: boolean }} options
 * @returns {Promise<{ available: boolean, remark: string }>} `remark` says what is missing and what that costs
 */
export async function ensureDocker({ dataDir, keep = false }) {
  if (await isEngineUp()) return up("");
  if (process.getuid?.() !== 0) {
    return down(
      findProgram("docker") ? "The Docker engine does not answer (is it running, and may this user use it?)." : "Docker is not installed.",
    );
  }
  if (!findProgram("dockerd") || !findProgram("iptables")) {
    if (!canInstall()) return down("Docker is not installed.");
    await aptInstall(["docker.io", "iptables"]);
    if (await isEngineUp()) return up(", installed");
  }
  return startEngine({ dataDir, keep });
}

async function startEngine({ dataDir, keep }) {
  startDaemon({ dataDir, name: "dockerd", file: findProgram("dockerd"), args: [], keep });
  const settled = async () => ((await isEngineUp()) ? "up" : findDaemon(dataDir, "dockerd") ? null : "ended at once");
  const state = await waitFor(settled, { limitMs: 60_000, everyMs: 250, what: "the start" }).catch(() => "did not answer within a minute");
  if (state === "up") return up(", started");
  await stopDaemon(dataDir, "dockerd");
  return down(`dockerd ${state}: ${tailOfLog(dataDir, "dockerd", 3)}\n`);
}

const up = async (how) => ({ available: true, remark: `engine ${await engineVersion()}${how}` });
const down = (why) => ({ available: false, remark: `${why} ${lost}` });

async function isEngineUp() {
  const docker = findProgram("docker");
  if (!docker) return false;
  return (await run(docker, ["info", "--format", "{{.ServerVersion}}"], { limitMs: 15_000 })).code === 0;
}

async function engineVersion() {
  return (await run(findProgram("docker"), ["version", "--format", "{{.Server.Version}}"], { limitMs: 15_000 })).stdout.trim();
}
