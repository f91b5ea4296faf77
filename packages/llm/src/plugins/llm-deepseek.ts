import type { Context } from "@gantry/kernel";
import { ProviderConfig } from "../provider-config.ts";
import { deepSeekAdapter } from "../providers/deepseek.ts";

export const name = "llm-deepseek";
export const inject = ["llm", "credentials"];
export const Config = ProviderConfig;

/** Registers one DeepSeek provider of the organisation. */
export function apply(ctx: Context, config: ProviderConfig): void {
  ctx.llm.register(deepSeekAdapter(config, ctx.credentials));
}
