import { hostRequirements } from "@gantry/compose";
import type { Context, ObjectPlugin } from "@gantry/kernel";
import { GenerationPool, type PresetsOptions } from "./generation-pool.ts";
import { Memberships } from "./memberships.ts";

export type PresetHost = { readonly ctx: Context; readonly pool: GenerationPool; readonly memberships: Memberships };

/**
 * The plugin that owns the generations of a root and its agents. `keep` gets them while it is active, and null when it is not. Scopes of presets inherit what
 * it injects (K-25): they are minted from here, never from the root. The composer refuses a host that does not offer the same services.
 */
export const presetHost = (options: PresetsOptions, keep: (host: PresetHost | null) => void): ObjectPlugin => ({
  name: "preset-host",
  inject: [...hostRequirements.services],
  apply(ctx: Context) {
    ctx.effect(() => {
      const pool = new GenerationPool(ctx, options);
      keep({ ctx, pool, memberships: new Memberships(pool) });
      return () => keep(null);
    }, "presets");
  },
});
