import type { ModelUsage, Usage } from "@gantry/contracts";
import type { Turn } from "./state.ts";
import type { Work } from "./work.ts";

type Spent = { readonly provider: string; readonly model: string; readonly usage: Usage };

/** Adds the tokens of one request to the turn that it was sent in, or came right after. */
export function addSpent(work: Work, spent: Spent): void {
  const last = work.turns.at(-1);
  if (!last) return;
  const next = added(last.spent, spent);
  if (work.own === last) work.own.spent = next;
  else work.turns = work.turns.with(-1, { ...last, spent: next });
}

function added(known: Turn["spent"], { provider, model, usage }: Spent): ModelUsage[] {
  const at = known.findIndex((one) => one.provider === provider && one.model === model);
  const before = known[at];
  const sum = {
    provider,
    model,
    requests: (before?.requests ?? 0) + 1,
    inputTokens: (before?.inputTokens ?? 0) + usage.inputTokens,
    outputTokens: (before?.outputTokens ?? 0) + usage.outputTokens,
    cacheReadTokens: (before?.cacheReadTokens ?? 0) + (usage.cacheReadTokens ?? 0),
    cacheWriteTokens: (before?.cacheWriteTokens ?? 0) + (usage.cacheWriteTokens ?? 0),
    reasoningTokens: (before?.reasoningTokens ?? 0) + (usage.reasoningTokens ?? 0),
  };
  return before ? known.with(at, sum) : [...known, sum];
}
