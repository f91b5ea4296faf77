import type { Context } from "@gantry/kernel";
import "./events.ts";

/**
 * Starts the session's container while the model thinks, so that the first call finds it running (architecture §7). Not before a turn's first request is
 * about to leave: a start takes all the machine has for a moment, and somebody waits for the answer.
 */
export const name = "sandbox-prewarm";
export const inject: string[] = [];

export function apply(ctx: Context): void {
  ctx.on("agent/request", async ({ agent }, next) => {
    const config = await next();
    if (agent.log.step === 1)
      agent.world().catch(() => {
        // the first tool call tries again and reports what is wrong
      });
    return config;
  });
}
