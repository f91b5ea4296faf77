import { type Logger, runShutdown } from "@gantry/platform";

/**
 * Ends this process because something of a root would not end, so that it is not to be trusted with more (13.5): it gives its work back as in a
 * deploy and exits with 1, upon which its supervisor starts another.
 */
export async function replaceWorker(log: Logger, reason: string): Promise<never> {
  log.error({ alarm: "root_tainted", reason }, "this worker stops and is to be replaced");
  await runShutdown();
  process.exit(1);
}
