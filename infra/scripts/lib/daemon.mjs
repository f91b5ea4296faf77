import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { killGroup } from "./run.mjs";
import { waitFor } from "./wait.mjs";

/**
 * A background process with a log and a state file, so that the next start finds what the last one left.
 * @typedef {{ pid: number, born: string, keep?: boolean, port?: number, url?: string }} DaemonState
 */

const stateFile = (dataDir, name) => path.join(dataDir, "run", `${name}.json`);

/** Where the log of a background process is. */
export const logFile = (dataDir, name) => path.join(dataDir, "logs", `${name}.log`);

/**
 * Starts a program in its own process group; its output goes to `logs/<name>.log`.
 * @param {{ dataDir: string, name: string, file: string, args: string[], env?: object, cwd?: string, keep?: boolean, port?: number }} options
 *   `keep`: it was started to stay, so a later `npm start` that uses it leaves it running
 */
export function startDaemon({ dataDir, name, file, args, env = process.env, cwd, keep = false, port }) {
  for (const dir of ["run", "logs"]) mkdirSync(path.join(dataDir, dir), { recursive: true });
  const log = openSync(logFile(dataDir, name), "a", 0o600);
  const child = spawn(file, args, { detached: true, stdio: ["ignore", log, log], env, cwd });
  closeSync(log);
  child.on("error", () => {}); // a program that cannot start is seen by the wait for its state, which quotes the log
  child.unref();
  writeState(dataDir, name, { pid: child.pid, keep, port });
  return child;
}

/** Records a process under a name, so that {@link findDaemon} finds exactly that process. */
export function writeState(dataDir, name, state) {
  writeFileSync(stateFile(dataDir, name), JSON.stringify({ ...state, born: bornAt(state.pid) }));
}

/** The state of a daemon that still runs, or null. A recycled pid is not mistaken for it. */
export function findDaemon(dataDir, name) {
  try {
    const state = JSON.parse(readFileSync(stateFile(dataDir, name), "utf8"));
    return isAlive(state) ? state : null;
  } catch {
    return null; // no state file, or one that was cut off while it was written
  }
}

/** Whether that very process still runs. */
export function isAlive({ pid, born }) {
  if (!pid) return false;
  const now = bornAt(pid);
  return now !== "" && now === born;
}

/**
 * Stops a daemon and waits until it is gone; after `graceMs` it is killed.
 * @param {{ signal?: NodeJS.Signals, graceMs?: number }} [options]
 */
export async function stopDaemon(dataDir, name, { signal = "SIGTERM", graceMs = 15_000 } = {}) {
  const state = findDaemon(dataDir, name);
  if (state) {
    process.kill(state.pid, signal);
    const gone = () => !isAlive(state);
    await waitFor(gone, { limitMs: graceMs, what: "the end" }).catch(() => killGroup(state.pid, "SIGKILL"));
    await waitFor(gone, { limitMs: 5_000, what: `The end of ${name} (pid ${state.pid})` });
  }
  rmSync(stateFile(dataDir, name), { force: true });
}

/** The last lines of a log, for an error message. */
export function tailOfLog(dataDir, name, lines = 12) {
  try {
    return readFileSync(logFile(dataDir, name), "utf8").trimEnd().split("\n").slice(-lines).join("\n");
  } catch {
    return "(no log)";
  }
}

/** When a process began, in clock ticks since boot; "" when it is gone or a zombie. */
function bornAt(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields[0] === "Z" ? "" : fields[19];
  } catch {
    if (process.platform === "linux") return "";
  }
  try {
    process.kill(pid, 0); // no /proc here: the pid alone has to do
    return "unknown";
  } catch {
    return "";
  }
}
