import { isEvent, type SessionEvent } from "../events.ts";
import type { Usage } from "../messages.ts";
import { defineUnit } from "./unit.ts";

/** Tokens of one model, in buckets that do not overlap but for `reasoningTokens`, which is a part of `outputTokens` (PRJ-5, LLM-5). */
export type ModelUsage = Required<Usage> & {
  readonly provider: string;
  readonly model: string;
  /** answered requests, summaries included */
  readonly requests: number;
};

/** By model, first used first. What was paid for stays, whatever a compaction hides later and however requests after it fail. */
export const tokenUsage = defineUnit<readonly ModelUsage[], readonly ModelUsage[]>({
  key: "tokenUsage",
  init: [],
  apply(models, event) {
    const spent = spentBy(event);
    if (!spent) return models;
    const at = models.findIndex(({ provider, model }) => provider === spent.provider && model === spent.model);
    const known = models[at];
    return known ? models.with(at, sum(known, spent.usage)) : [...models, sum(nothing(spent), spent.usage)];
  },
  view: (models) => models,
  ownOnly: true,
});

/** A step's usage is that of its stored message; a message that stands in for others was not requested again. */
function spentBy(event: SessionEvent): { provider: string; model: string; usage: Usage } | null {
  if (isEvent(event, "compaction/summary") && event.data.usage) {
    const { provider, model, usage } = event.data;
    return { provider, model, usage };
  }
  if (!isEvent(event, "assistant/message") || typeof event.surfaceOp === "object") return null;
  const { message, usage } = event.data;
  const { source } = message;
  return usage && source.kind === "model" ? { provider: source.provider, model: source.model, usage } : null;
}

function nothing({ provider, model }: { provider: string; model: string }): ModelUsage {
  const buckets = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  return { provider, model, requests: 0, ...buckets };
}

function sum(known: ModelUsage, usage: Usage): ModelUsage {
  return {
    ...known,
    requests: known.requests + 1,
    inputTokens: known.inputTokens + usage.inputTokens,
    outputTokens: known.outputTokens + usage.outputTokens,
    cacheReadTokens: known.cacheReadTokens + (usage.cacheReadTokens ?? 0),
    cacheWriteTokens: known.cacheWriteTokens + (usage.cacheWriteTokens ?? 0),
    reasoningTokens: known.reasoningTokens + (usage.reasoningTokens ?? 0),
  };
}
