import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The data folder of the installation under test: the tests may look behind the pages to see whether what they say is true. */
function dataDir(): string {
  const folder = process.env.GANTRY_DATA_DIR;
  if (!folder) throw new Error("GANTRY_DATA_DIR is missing: run this through npm test");
  return folder;
}

/** Ends the worker as a crash would; whoever started it starts it again. */
export function killWorker(): void {
  const { pid } = JSON.parse(readFileSync(join(dataDir(), "run", "worker.json"), "utf8")) as { pid: number };
  process.kill(pid, "SIGKILL");
}

/** A file of a workspace as it really is on its volume. */
export function workspaceFile(workspaceId: string, path: string): string {
  return readFileSync(join(dataDir(), "volumes", "mounted", workspaceId, "workspace", path), "utf8");
}
