import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadEnv } from "@gantry/platform";

export type ProcessName = "worker" | "web" | "redis" | "broker";

/** The process of the started installation. @throws Error when it was not started by the run of this benchmark */
export function pidOf(name: ProcessName): number {
  const state = JSON.parse(readFileSync(join(loadEnv().GANTRY_DATA_DIR, "run", `${name}.json`), "utf8")) as { pid: number };
  return state.pid;
}

/** CPU that all threads of a process have used so far, in milliseconds. */
export function cpuMs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadNs(pid, thread), 0) / 1e6;
}

/** `schedstat` counts nanoseconds, `stat` only ticks of 10 ms. A thread that ends takes its share with it; Node's pool is steady. */
function threadNs(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  } catch {
    return 0; // ended since the folder was read
  }
}

/** Memory of a process in MB: its own pages and its share of common ones (PSS), and all it has mapped in (RSS). */
export function memoryMb(pid: number): { pss: number; rss: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const mb = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) / 1024;
  return { pss: mb("Pss"), rss: mb("Rss") };
}
