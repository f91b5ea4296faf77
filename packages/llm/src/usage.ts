import type { Usage } from "@gantry/contracts";

/** No response has more; a provider's wild number must not swamp sums and budgets. */
const maxCount = 1_000_000_000;

/** A token count as reported; absent, negative, fractional, NaN and infinite values are made harmless. */
function count(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.round(Math.min(value, maxCount)) : 0;
}

export type ReportedUsage = {
  /** all input tokens, cached ones included */
  readonly inputTotal?: unknown;
  readonly cacheRead?: unknown;
  readonly cacheWrite?: unknown;
  readonly output?: unknown;
  readonly reasoning?: unknown;
};

/**
 * Makes the counts disjoint (LLM-5, AG-072): cached tokens are taken out of the input, so the sum of `inputTokens`,
 * `cacheReadTokens`, `cacheWriteTokens` and `outputTokens` counts every token once. Null when nothing was reported.
 */
export function disjointUsage(reported: ReportedUsage): Usage | null {
  const cacheRead = count(reported.cacheRead);
  const cacheWrite = count(reported.cacheWrite);
  const outputTokens = count(reported.output);
  const reasoning = Math.min(count(reported.reasoning), outputTokens);
  const inputTokens = Math.max(0, count(reported.inputTotal) - cacheRead - cacheWrite);
  if (inputTokens + cacheRead + cacheWrite + outputTokens === 0) return null;
  return {
    inputTokens,
    outputTokens,
    ...(cacheRead ? { cacheReadTokens: cacheRead } : {}),
    ...(cacheWrite ? { cacheWriteTokens: cacheWrite } : {}),
    ...(reasoning ? { reasoningTokens: reasoning } : {}),
  };
}
