import { AppError } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { readDefaultPreset } from "../preset/default-preset.ts";
import { groundOf } from "../preset/preset-ground.ts";
import { readPresets } from "../preset/preset-row.ts";
import { presetProblems } from "../preset/preset-state.ts";
import type { CompositionState, LayerText } from "./composition-state.ts";

/** What a change of the composition does to presets that can be used now. */
export type AffectedPresets = {
  /** ids of those that could not be used any more */
  readonly slugs: readonly string[];
  /** of these, the ones that the organisation cannot do without: its default and the installation's */
  readonly vital: readonly string[];
};

/** Presets in force that mount on the present composition and would not on `next` (G-7). */
export async function affectedPresets(tx: Tx, ctx: ServiceContext, state: CompositionState, next: LayerText): Promise<AffectedPresets> {
  const [before, after] = [groundOf(ctx, state, state.org), groundOf(ctx, state, next)];
  if (before.hash === after.hash) return { slugs: [], vital: [] };
  const lost = (await readPresets(tx, ctx.orgId)).filter(({ slug, current }) => {
    if (!current || presetProblems(ctx.orgId, slug, current, after).length === 0) return false;
    return presetProblems(ctx.orgId, slug, current, before).length === 0;
  });
  const standard = lost.length > 0 ? await readDefaultPreset(tx, ctx) : null;
  const vital = lost.filter(({ slug, isPlatform }) => isPlatform || slug === standard);
  return { slugs: lost.map(({ slug }) => slug), vital: vital.map(({ slug }) => slug) };
}

export const presetsBreak = ({ slugs }: AffectedPresets): string =>
  `With this change these presets cannot be used any more, nor sessions on them: ${slugs.join(", ")}. Nothing was changed. Confirm to make the change all the same.`;

/** @throws PRESETS_BREAK when a vital preset would go and nobody confirmed it */
export function assertConfirmed(affected: AffectedPresets, force: boolean | undefined): void {
  if (affected.vital.length > 0 && force !== true) throw new AppError("PRESETS_BREAK", presetsBreak(affected));
}
