import type { Context } from "@gantry/kernel";
import "./events.ts";

/** Starts the session's container while the model thinks, so that the first call finds it running (architecture §7). */
export const name = "sandbox-prewarm";
export const inject: string[] = [];

export function apply(ctx: Context): void {
  ctx.on("agent/status", ({ agent, status }) => {
    if (status !== "running") return;
    agent.world().catch(() => {
      // the first tool call tries again and reports what is wrong
    });
  });
}
