import type { Slot } from "../catalog/entry.ts";

export type HostRequirements = { readonly services: readonly string[]; readonly slot: Slot };

/**
 * What every org root offers, whatever its composition: without one of the services no preset can be mounted, without the loop no agent be made. The
 * composer refuses rows that do not give it, and the host of presets injects the same names, so the two cannot drift apart.
 */
export const hostRequirements: HostRequirements = {
  services: ["agents", "fs", "llm", "subprocess", "systemPrompt", "tools"],
  slot: "agentFactory",
};
