import type { Context } from "@gantry/kernel";
import { ProviderConfig } from "../provider-config.ts";
import { anthropicAdapter } from "../providers/anthropic.ts";

export const name = "llm-anthropic";
export const inject = ["llm", "credentials"];
export const Config = ProviderConfig;

/** Registers one Anthropic provider of the organisation. */
export function apply(ctx: Context, config: ProviderConfig): void {
  ctx.llm.register(anthropicAdapter(config, ctx.credentials));
}
