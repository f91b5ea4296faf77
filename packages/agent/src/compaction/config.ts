import { z } from "zod";

const ratio = z.number().gt(0).lte(1);
const tokens = z.number().int().positive();

/** What may be said for one exact model, over the general values. */
const Policy = z.strictObject({
  provider: z.string().min(1),
  model: z.string().min(1),
  thresholdRatio: ratio.optional(),
  retainRatio: ratio.optional(),
  retainTokens: tokens.optional(),
  maxTokens: tokens.optional(),
});

export const Config = z
  .strictObject({
    /** compact without being asked: under pressure and after an overflow */
    auto: z.boolean().default(true),
    /** part of the context window at which a history is shortened */
    thresholdRatio: ratio.default(0.8),
    /** part of the context window that stays as it is; `retainTokens` says it in tokens */
    retainRatio: ratio.default(0.16),
    retainTokens: tokens.optional(),
    /** longest summary, tokens */
    maxTokens: tokens.default(8_192),
    /** more summaries in one go when one was not enough */
    compactionRetries: z.number().int().min(0).max(10).default(1),
    /** repairs in a row of requests that were too long */
    maxOverflowRetries: z.number().int().min(0).max(10).default(1),
    /** who summarises, instead of the session's own model */
    provider: z.string().min(1).optional(),
    model: z.string().min(1).optional(),
    modelPolicies: z.array(Policy).default([]),
  })
  .refine(({ provider, model }) => (provider === undefined) === (model === undefined), "a summarising provider and model go together");
export type CompactionConfig = z.infer<typeof Config>;

type Route = { readonly provider: string; readonly model: string };

/** What holds for a route: its own policy over the general values (CMP-1). Token counts for a window of `contextWindow` tokens. */
export function limitsFor(config: CompactionConfig, route: Route, contextWindow: number) {
  const own = config.modelPolicies.find(({ provider, model }) => provider === route.provider && model === route.model);
  const { thresholdRatio = config.thresholdRatio, retainRatio = config.retainRatio } = own ?? {};
  const retainTokens = own?.retainTokens ?? (own?.retainRatio === undefined ? config.retainTokens : undefined);
  return { thresholdTokens: contextWindow * thresholdRatio, retainTokens: retainTokens ?? contextWindow * retainRatio };
}

export function summaryRoute(config: CompactionConfig, session: Route): Route & { readonly maxTokens: number } {
  const own = config.modelPolicies.find(({ provider, model }) => provider === session.provider && model === session.model);
  const { provider = session.provider, model = session.model } = config;
  return { provider, model, maxTokens: own?.maxTokens ?? config.maxTokens };
}
