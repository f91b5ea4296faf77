import type { Context } from "@gantry/kernel";
import { z } from "zod";
import type { Executed } from "../registry/types.ts";

export const name = "tool-call-timeout-policy";
export const inject = ["tools"];
export const Config = z.strictObject({});

/**
 * Gives tools that declare a budget a cooperative deadline (POL-1, tools §19.1): the body's signal fires, the body is still awaited, and
 * whatever it then answers becomes TOOL_TIMEOUT. A caller that cancelled first keeps its ABORTED.
 */
export function apply(ctx: Context): void {
  const { tools } = ctx;
  ctx.on("tools/execute", async (execution, dispatch, next) => {
    const budgetMs = tools.find(execution.name, execution.agent?.scope)?.timeoutMs;
    if (budgetMs === undefined || !Number.isFinite(budgetMs) || budgetMs <= 0) return next();
    const outer = dispatch.signal;
    const deadline = new AbortController();
    const timer = setTimeout(() => {
      if (!execution.signal.aborted) deadline.abort(new DOMException("tool call timed out", "TimeoutError"));
    }, budgetMs);
    dispatch.signal = AbortSignal.any([outer, deadline.signal]);
    try {
      const executed = await next();
      return deadline.signal.aborted ? timedOut(budgetMs, executed) : executed;
    } finally {
      clearTimeout(timer);
      dispatch.signal = outer;
    }
  });
}

function timedOut(budgetMs: number, { additionalContexts }: Executed): Executed {
  return {
    kind: "failure",
    message: `tool call timed out after ${budgetMs}ms`,
    info: { name: "ToolTimeoutError", code: "TOOL_TIMEOUT" },
    ...(additionalContexts === undefined ? {} : { additionalContexts }),
  };
}
