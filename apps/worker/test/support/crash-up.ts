import type { ChildProcess } from "node:child_process";

/** What a worker of the harness says when it has started. */
export const upLine = "worker is up";

/** Tells which of the processes it was shown have started. */
export function watchStarts() {
  const up = new WeakSet<ChildProcess>();
  return {
    add(child: ChildProcess): ChildProcess {
      child.stdout?.on("data", (said: Buffer) => {
        if (said.includes(upLine)) up.add(child);
      });
      return child;
    },
    isUp: (child: ChildProcess): boolean => up.has(child),
  };
}
