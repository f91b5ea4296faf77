/** Sizes in tokens that are public knowledge, by the start of a model's name; the first match wins. Advisory (LLM-9). */
const families: readonly { readonly start: RegExp; readonly contextWindow: number; readonly maxTokens?: number }[] = [
  { start: /^deepseek/, contextWindow: 1_000_000, maxTokens: 256_000 },
  { start: /^claude/, contextWindow: 200_000 },
  { start: /^gpt-4\.1/, contextWindow: 1_047_576 },
  { start: /^gpt-4o/, contextWindow: 128_000 },
  { start: /^gpt-5/, contextWindow: 400_000 },
];

/** Models that look at images, by name: families of vendors, and the words that makers of open models put into theirs. */
const withImages: readonly RegExp[] = [
  /^claude-(?!2|instant)/,
  /^(gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-[5-9]|chatgpt-4o|o1(?!-mini)|o3(?!-mini)|o4)/,
  /^gemini/,
  /^(gemma-?3|llama-?4|pixtral|llava|moondream|internvl|minicpm-v|molmo|grok-4|mistral-(small-3|medium-3))/,
  /(^|[-_.:\d])(vl|vlm|vision|omni|multimodal)([-_.:\d]|$)/,
  /^glm-\d(\.\d)?v/,
];
/** Of those names the ones that only read, hear or draw. */
const withoutImages = /(audio|realtime|transcribe|tts|embedding|-image-|search)/;

export function modelFacts(model: string): { contextWindow?: number; maxTokens?: number; acceptsImages?: boolean } {
  // routers put the vendor first: “anthropic/claude-…”
  const bare = model.toLowerCase().replace(/^.*\//, "");
  const found = families.find((family) => family.start.test(bare));
  const acceptsImages = withImages.some((pattern) => pattern.test(bare)) && !withoutImages.test(bare);
  return {
    ...(found ? { contextWindow: found.contextWindow } : {}),
    ...(found?.maxTokens ? { maxTokens: found.maxTokens } : {}),
    ...(acceptsImages ? { acceptsImages } : {}),
  };
}
