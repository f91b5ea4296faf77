/** Sizes in tokens that are public knowledge, by the start of a model's name; the first match wins. Advisory (LLM-9). */
const families: readonly { readonly start: RegExp; readonly contextWindow: number; readonly maxTokens?: number }[] = [
  { start: /^deepseek/, contextWindow: 1_000_000, maxTokens: 256_000 },
  { start: /^claude/, contextWindow: 200_000 },
  { start: /^gpt-4\.1/, contextWindow: 1_047_576 },
  { start: /^gpt-4o/, contextWindow: 128_000 },
  { start: /^gpt-5/, contextWindow: 400_000 },
];

export function modelFacts(model: string): { contextWindow?: number; maxTokens?: number } {
  // routers put the vendor first: “anthropic/claude-…”
  const bare = model.toLowerCase().replace(/^.*\//, "");
  const found = families.find((family) => family.start.test(bare));
  if (!found) return {};
  return { contextWindow: found.contextWindow, ...(found.maxTokens ? { maxTokens: found.maxTokens } : {}) };
}
