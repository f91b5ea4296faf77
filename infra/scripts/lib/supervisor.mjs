import { startDaemon, stopDaemon, tailOfLog } from "./daemon.mjs";
import { Failure } from "./failure.mjs";
import { say } from "./progress.mjs";
import { waitFor } from "./wait.mjs";

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;
/** A process that ran this long had a good start: the next crash begins with the short delay again. */
const goodRunMs = 60_000;

/**
 * Keeps processes running: one that ends by itself is started again, with growing delays, and a line says so.
 * @param {{ dataDir: string }} options
 */
export function createSupervisor({ dataDir }) {
  let stopping = false;
  const timers = new Set();

  function launch(spec, delayMs = firstDelayMs) {
    const from = performance.now();
    const child = startDaemon({ dataDir, ...spec });
    let isUp = false;
    let ended = null;
    child.once("exit", (code, signal) => {
      ended = signal ?? `code ${code}`;
      if (!isUp || stopping) return;
      const nextMs = performance.now() - from > goodRunMs ? firstDelayMs : delayMs;
      say(`${spec.name} ended (${ended}); starting it again in ${nextMs / 1000} s. Log: ${dataDir}/logs/${spec.name}.log`);
      const timer = setTimeout(() => {
        timers.delete(timer);
        if (!stopping) launch(spec, Math.min(nextMs * 2, longestDelayMs)).markUp();
      }, nextMs);
      timers.add(timer);
    });
    return { endedWith: () => ended, markUp: () => (isUp = true) };
  }

  return {
    /**
     * Starts a process and waits until `isReady`.
     * @throws Failure with the end of its log when it ends first or takes more than a minute
     */
    async start({ isReady, ...spec }) {
      await stopDaemon(dataDir, spec.name); // what a killed start left
      const launched = launch(spec);
      const settled = async () => launched.endedWith() || (await isReady());
      const outcome = await waitFor(settled, { limitMs: 60_000, everyMs: 100, what: "the start" }).catch(() => "no answer within a minute");
      if (outcome !== true) throw new Failure(`${spec.name} did not start (${outcome}):\n${tailOfLog(dataDir, spec.name)}`);
      launched.markUp();
    },
    /** No process is started again from now on. */
    release() {
      stopping = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
