import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { startedAt } from "./clock.mjs";
import { projectNode } from "./paths.mjs";

/** The sources are TypeScript that runs as it is: that needs this Node. */
const needed = 24;

/**
 * Runs the calling script again with the project's Node 24 when this Node is older, and ends with its exit code.
 * Call it after the dependencies are there. Returns only when no change is needed.
 * @param {string} scriptUrl `import.meta.url` of the script
 */
export async function useProjectNode(scriptUrl) {
  if (Number(process.versions.node.split(".")[0]) >= needed || !existsSync(projectNode)) return;
  const child = spawn(projectNode, [fileURLToPath(scriptUrl), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, GANTRY_STARTED_AT: String(startedAt) },
  });
  // a terminal's Ctrl-C reaches the child by itself too: it has to take a repeated signal as the same one
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (exitCode, signal) => resolve(exitCode ?? 128 + constants.signals[signal]));
  });
  process.exit(code);
}

/** Calls back when the script that started this one is gone, even by SIGKILL. */
export function onParentGone(stop) {
  if (!process.channel) return;
  process.once("disconnect", stop);
  process.channel.unref();
}
