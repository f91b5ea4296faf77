import type { ModelUsage } from "./projections/token-usage.ts";

/** List price in US dollars for a million tokens of each bucket. */
export type ModelPrice = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
};

/** The day on which the list below was put together; what providers changed since is not in it. */
export const pricesAsOf = "2025-11-01";

const anthropic = (input: number, output: number): ModelPrice => ({ input, output, cacheRead: input / 10, cacheWrite: input * 1.25 });
const openai = (input: number, cacheRead: number, output: number): ModelPrice => ({ input, output, cacheRead, cacheWrite: input });
const deepseek: ModelPrice = { input: 0.28, output: 0.42, cacheRead: 0.028, cacheWrite: 0.28 };

/** Families by the beginning of a model id; the first that fits counts, so narrower names come first. A dated id belongs to its family. */
const families: readonly (readonly [RegExp, ModelPrice])[] = [
  [/^deepseek-(?:chat|reasoner)$/, deepseek],
  [/^claude-opus-4-5\b/, anthropic(5, 25)],
  [/^claude-opus-4(?:-1)?(?:-\d{8})?$/, anthropic(15, 75)],
  [/^claude-sonnet-4(?:-5)?(?:-\d{8})?$/, anthropic(3, 15)],
  [/^claude-3-7-sonnet\b/, anthropic(3, 15)],
  [/^claude-haiku-4-5\b/, anthropic(1, 5)],
  [/^claude-3-5-haiku\b/, anthropic(0.8, 4)],
  [/^gpt-5(?:\.1)?(?:-\d{4}-\d\d-\d\d)?$/, openai(1.25, 0.125, 10)],
  [/^gpt-5-mini(?:-\d{4}-\d\d-\d\d)?$/, openai(0.25, 0.025, 2)],
  [/^gpt-5-nano(?:-\d{4}-\d\d-\d\d)?$/, openai(0.05, 0.005, 0.4)],
  [/^gpt-4\.1(?:-\d{4}-\d\d-\d\d)?$/, openai(2, 0.5, 8)],
  [/^gpt-4\.1-mini(?:-\d{4}-\d\d-\d\d)?$/, openai(0.4, 0.1, 1.6)],
  [/^gpt-4o(?:-\d{4}-\d\d-\d\d)?$/, openai(2.5, 1.25, 10)],
  [/^gpt-4o-mini(?:-\d{4}-\d\d-\d\d)?$/, openai(0.15, 0.075, 0.6)],
];

/** Null for a model that the list does not know: no price is better than a guessed one. A router's prefix (`vendor/model`) is looked through. */
export function findPrice(model: string): ModelPrice | null {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return families.find(([family]) => family.test(name))?.[1] ?? null;
}

/** US dollars at list price, or null for an unknown model. What the org really pays depends on its contract. */
export function listCost({ model, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: ModelUsage): number | null {
  const price = findPrice(model);
  if (!price) return null;
  const { input, output, cacheRead, cacheWrite } = price;
  return (inputTokens * input + outputTokens * output + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite) / 1_000_000;
}
