import { AppError } from "@gantry/contracts";
import { checkProvider as callProvider } from "@gantry/llm/check";
import { loadEnv } from "@gantry/platform";
import type { ProviderCheckInput } from "@gantry/services";

const wires = { openai_compatible: "openai-compatible", anthropic: "anthropic", openai: "openai", deepseek: "deepseek" } as const;

/** One small call with the default model. The demo kind answers by itself and needs none. @throws PROVIDER_CHECK_FAILED with what to change */
export async function checkProvider({ kind, baseUrl, models, key, signal }: ProviderCheckInput): Promise<void> {
  const model = models[0];
  if (kind === "demo" || model === undefined) return;
  const allowInsecure = loadEnv().GANTRY_ALLOW_PRIVATE_HOSTS;
  const result = await callProvider({ kind: wires[kind], baseUrl, key, model, allowInsecure, ...(signal && { signal }) });
  if (!result.ok) throw new AppError("PROVIDER_CHECK_FAILED", result.message, { data: { reason: result.code } });
}
