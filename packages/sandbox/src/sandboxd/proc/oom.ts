import { openSync, readFileSync, writeSync } from "node:fs";

const counters = ["/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"];

/** How often the kernel killed something in this container for memory. An exec'd process that dies so leaves no other trace. */
export function oomKills(): number {
  for (const path of counters) {
    try {
      return Number(/^oom_kill (\d+)/m.exec(readFileSync(path, "utf8"))?.[1] ?? 0);
    } catch {
      // the other cgroup version
    }
  }
  return 0;
}

/** For the kernel's choice of a victim: children go first, sandboxd last (0 would be the level of the host's own processes). */
const childScore = "900";
const ownScore = "100";

/** Opened while root: under the agent's uid the file would not open. Null where the kernel refuses. */
export function openOomScore(): { forChildren(): void; forSelf(): void } {
  try {
    const fd = openSync("/proc/self/oom_score_adj", "w");
    return { forChildren: () => writeSync(fd, childScore, 0), forSelf: () => writeSync(fd, ownScore, 0) };
  } catch {
    return { forChildren() {}, forSelf() {} };
  }
}
