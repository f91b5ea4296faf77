import type { Condition } from "../conditions/vocabulary.ts";
import type { Bundle } from "./bundle.ts";

/** A bundle that an org may add to a profile. `entitled`: which plans may have it; left out, all. */
export type OptionalBundle = Bundle & { readonly title: string; readonly description: string; readonly entitled?: Condition };

/** In the order in which lists show them; the org's own list says in which order they apply. */
export const optionalBundles: readonly OptionalBundle[] = [
  {
    name: "dry-run",
    version: 1,
    title: "Dry run",
    description:
      "Agents see and write files, and no command runs: each is answered as if it had ended well. For trying prompts and presets.",
    patches: [
      { id: "subprocess-sandbox", name: "subprocess-sandbox", disabled: true },
      { insert: [{ id: "subprocess-dry-run", name: "subprocess-dry-run" }] },
    ],
  },
  {
    name: "quiet-retries",
    version: 1,
    title: "Quiet retries",
    description: "Failed model requests are sent again twice, after longer pauses, so that an overloaded provider is left in peace.",
    patches: [{ id: "llm-retry", name: "llm-retry", config: { maxRetries: 2, baseDelayMs: 2_000, maxDelayMs: 60_000 } }],
  },
  {
    name: "patient-retries",
    version: 1,
    title: "Patient retries",
    description:
      "Failed model requests are sent again up to twenty times, with pauses of up to ten minutes, for work that nobody waits for.",
    entitled: { $ne: [{ $fact: "plan.tier" }, "free"] },
    patches: [{ id: "llm-retry", name: "llm-retry", config: { maxRetries: 20, baseDelayMs: 2_000, maxDelayMs: 600_000 } }],
  },
];
