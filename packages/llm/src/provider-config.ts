import { z } from "zod";
import { failure, LlmFailureError } from "./failure.ts";
import { modelFacts } from "./model-facts.ts";
import type { LlmRequest, ModelInfo } from "./request.ts";

/** What every network provider is configured with: one row of the organisation's provider table. */
export const ProviderConfig = z.object({
  /** Names the key in the `credentials` service. */
  providerId: z.string().min(1),
  slug: z.string().min(1),
  baseUrl: z.string().min(1),
  /** Offered models, the first is the default; unlisted ones are accepted. */
  models: z.array(z.string().min(1)),
  /** Plain http and addresses inside the own network: only for a self-hosted model server. */
  allowInsecure: z.boolean().default(false),
  /** Longest silence of a stream, ms. */
  idleTimeoutMs: z.number().int().positive().max(3_600_000).default(300_000),
});
export type ProviderConfig = z.infer<typeof ProviderConfig>;

export function describeModel(config: ProviderConfig, model: string, efforts: readonly string[]): ModelInfo {
  return { provider: config.slug, model, ...modelFacts(model), ...(efforts.length > 0 ? { efforts } : {}) };
}

/** The asked effort, or undefined for the provider's default. Side calls do not think unless they ask for it (AUX-1). @throws LlmFailureError */
export function chosenEffort(request: Pick<LlmRequest, "reasoningEffort" | "purpose">, efforts: readonly string[]): string | undefined {
  const effort = request.reasoningEffort ?? (request.purpose === "main" ? undefined : "off");
  if (effort === undefined || effort === "off" || efforts.includes(effort)) return effort;
  const known = ["off", ...efforts].join(", ");
  throw new LlmFailureError(
    failure("UNSUPPORTED_REASONING_EFFORT", `This model provider has no thinking effort of that name. Choose one of: ${known}.`),
  );
}
