import { setTimeout as pause } from "node:timers/promises";
import { findDaemon } from "./daemon.mjs";
import { Failure } from "./failure.mjs";
import { say } from "./progress.mjs";
import { isPortFree } from "./wait.mjs";

/** A service that ran this long had a good start: its next end begins with the short delay again. */
const goodRunMs = 60_000;
/** How long a stop waits for a restart that is on its way; what it has started by then is found by its state file. */
const stopLimitMs = 5_000;

/**
 * Looks after services that run over the data folder: one that has died is started again at its port, since the processes that use it know no other; after
 * a failure with growing delays. A service of somebody else (REDIS_URL, DATABASE_URL) is not looked after.
 * @param {{ dataDir: string, services: { name: string, start: () => Promise<unknown> }[], everyMs?: number, firstDelayMs?: number, longestDelayMs?: number }} options
 * @returns {{ stop: () => Promise<void> }}
 */
export function watchServices({ dataDir, services, everyMs = 1_000, firstDelayMs = 1_000, longestDelayMs = 30_000 }) {
  const ending = new AbortController();
  const { signal } = ending;
  const rest = (ms) => pause(ms, undefined, { signal, ref: false }).catch(() => {});

  async function watch({ name, start, port }) {
    let delayMs = firstDelayMs;
    let upSince = performance.now();
    for (await rest(everyMs); !signal.aborted; await rest(everyMs)) {
      if (findDaemon(dataDir, name)) continue;
      if (performance.now() - upSince > goodRunMs) delayMs = firstDelayMs;
      say(`${name} ended; starting it again in ${delayMs / 1000} s. Log: ${dataDir}/logs/${name}.log`);
      await rest(delayMs);
      delayMs = Math.min(delayMs * 2, longestDelayMs);
      if (signal.aborted) return;
      try {
        if (!(await isPortFree(port))) throw new Failure(`port ${port} is taken by another program.`);
        if (signal.aborted) return;
        await start();
        upSince = performance.now();
        say(`${name} is back.`);
      } catch (error) {
        if (!signal.aborted) say(`${name} did not start: ${error.message}`);
      }
    }
  }

  const own = services.flatMap((service) => {
    const port = findDaemon(dataDir, service.name)?.port;
    return port ? [{ ...service, port }] : [];
  });
  const watching = Promise.all(own.map(watch));
  return {
    /** Nothing is started again from now on. */
    async stop() {
      ending.abort();
      await Promise.race([watching, pause(stopLimitMs, undefined, { ref: false })]);
    },
  };
}
