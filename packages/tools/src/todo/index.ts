import type { Context } from "@gantry/kernel";
import { z } from "zod";
import { todoTool } from "./tool.ts";

export const name = "tool-todo";
export const inject = ["tools"];
export const Config = z.strictObject({
  /** Whether several steps may be in progress at once. No default: the choice changes what the model is told. */
  allowParallelInProgress: z.boolean(),
});

export function apply(ctx: Context, config: z.infer<typeof Config>): void {
  ctx.tools.register(todoTool(config));
}
