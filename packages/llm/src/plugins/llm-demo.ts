import type { Context } from "@gantry/kernel";
import { DemoConfig, demoAdapter } from "../providers/demo.ts";

export const name = "llm-demo";
export const inject = ["llm"];
export const Config = DemoConfig;

/** Registers the scripted model, which needs no key. */
export function apply(ctx: Context, config: DemoConfig): void {
  ctx.llm.register(demoAdapter(config));
}
