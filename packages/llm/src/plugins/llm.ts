import type { Context } from "@gantry/kernel";
import { Llm } from "../service.ts";

export const name = "llm";
export const inject: string[] = [];

/** Provides `ctx.llm`. Adapters are plugins of their own that register with it. */
export function apply(ctx: Context): void {
  new Llm(ctx);
}
