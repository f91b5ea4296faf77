import { isEvent } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import { Agent } from "../loop/agent.ts";
import { Compaction } from "./compaction.ts";
import { type CompactionConfig, Config } from "./config.ts";

export { Config };
export const name = "compaction-basic";
export const inject = ["llm", "tokenMeter"];

/** Provides `compaction`, and unless `auto` is off calls it before each step and after a request that was too long. */
export function apply(ctx: Context, config: CompactionConfig): void {
  const compaction = new Compaction(ctx, config);
  if (!config.auto) return;
  ctx.on("agent/pre-step", async ({ agent, signal }, next) => {
    // before the claimed messages are on the surface: they are never summed up with the past
    await compaction.relieve(agent, signal);
    signal.throwIfAborted();
    return next();
  });
  ctx.on("agent/request-error", async ({ agent, failure, signal }, next) => {
    if (failure.code !== "CONTEXT_WINDOW_EXCEEDED" || !(agent instanceof Agent)) return next();
    const isRepaired = await compaction.recoverOverflow(agent, signal);
    return isRepaired ? { kind: "retry" } : next();
  });
  ctx.on("session/event", ({ agent, event }) => {
    if (isEvent(event, "assistant/message")) compaction.forgetOverflows(agent);
  });
  ctx.on("agent/status", ({ agent, status }) => {
    if (status === "idle") compaction.forgetOverflows(agent);
  });
}
