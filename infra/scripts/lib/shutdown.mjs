import { onParentGone } from "./project-node.mjs";

let asked = false;

/** Whether this process has been asked to end: nothing new may start from then on. */
export const isStopping = () => asked;

/**
 * Runs `stop` once when the process is asked to end, then ends it. A repeated signal is the same wish: every stop has its limit.
 * @param {() => Promise<void>} stop
 * @param {number} [exitCode] for an end by signal
 */
export function onStopSignal(stop, exitCode = 0) {
  const end = () => {
    if (asked) return;
    asked = true;
    stop()
      .catch((error) => process.stderr.write(`${error.stack}\n`))
      .finally(() => process.exit(exitCode));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
  // a closed terminal must not end the stopping half-way
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  onParentGone(end);
}
