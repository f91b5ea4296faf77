import type { Context, ObjectPlugin } from "@gantry/kernel";
import { GenerationPool, type PresetsOptions } from "./generation-pool.ts";
import { Memberships } from "./memberships.ts";

/** What the scopes of presets inherit (K-25): scopes are minted from here, never from the root. */
const inject = ["agents", "fs", "llm", "subprocess", "systemPrompt", "tools"];

export type PresetHost = { readonly ctx: Context; readonly pool: GenerationPool; readonly memberships: Memberships };

/** The plugin that owns the generations of a root and its agents. `keep` gets them while it is active, and null when it is not. */
export const presetHost = (options: PresetsOptions, keep: (host: PresetHost | null) => void): ObjectPlugin => ({
  name: "preset-host",
  inject,
  apply(ctx: Context) {
    ctx.effect(() => {
      const pool = new GenerationPool(ctx, options);
      keep({ ctx, pool, memberships: new Memberships(pool) });
      return () => keep(null);
    }, "presets");
  },
});
