import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { findDaemon, writeState } from "./daemon.mjs";
import { Failure } from "./failure.mjs";
import { isPortFree } from "./wait.mjs";

/**
 * Makes this process the only one that serves the data folder.
 * @returns a function that gives the folder back
 * @throws Failure naming the other process
 */
export function lockInstance({ dataDir, url }) {
  const other = findDaemon(dataDir, "start");
  if (other) {
    throw new Failure(
      `Gantry already runs here: ${other.url} (pid ${other.pid}). Stop it with Ctrl-C there or \`kill ${other.pid}\`; ` +
        "for a second installation set GANTRY_DATA_DIR and PORT.",
    );
  }
  mkdirSync(path.join(dataDir, "run"), { recursive: true, mode: 0o700 });
  writeState(dataDir, "start", { pid: process.pid, url });
  return () => rmSync(path.join(dataDir, "run", "start.json"), { force: true });
}

/** @throws Failure when something else holds the port */
export async function claimPort(port, host) {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Failure(`PORT must be a number from 1 to 65535, not "${process.env.PORT}".`);
  if (await isPortFree(port, host)) return;
  throw new Failure(`Port ${port} is taken by another program. Free it, or choose another one: PORT=${port + 1} npm start`);
}
