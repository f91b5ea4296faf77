import type { Context } from "@gantry/kernel";
import { ProviderConfig } from "../provider-config.ts";
import { openAiAdapter } from "../providers/openai.ts";

export const name = "llm-openai";
export const inject = ["llm", "credentials"];
export const Config = ProviderConfig;

/** Registers one OpenAI provider of the organisation, over the responses API. */
export function apply(ctx: Context, config: ProviderConfig): void {
  ctx.llm.register(openAiAdapter(config, ctx.credentials));
}
