import type { Context } from "@gantry/kernel";
import { ProviderConfig } from "../provider-config.ts";
import { openAiCompatibleAdapter } from "../providers/openai-compatible.ts";

export const name = "llm-openai-compatible";
export const inject = ["llm", "credentials"];
export const Config = ProviderConfig;

/** Registers one chat-completions provider of the organisation. */
export function apply(ctx: Context, config: ProviderConfig): void {
  ctx.llm.register(openAiCompatibleAdapter(config, ctx.credentials));
}
