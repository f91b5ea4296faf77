import { AppError, type PresetId } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { readPresetGround } from "./preset-ground.ts";
import { findPreset, type PresetRow } from "./preset-row.ts";
import { presetState } from "./preset-state.ts";

export type PinnedPreset = { readonly id: PresetId; readonly slug: string; readonly revision: number };

const maxReasons = 3;

/**
 * The revision that a session is put on now (G-19). Until the transaction ends nobody removes it.
 * @throws PRESET_UNKNOWN, PRESET_BROKEN with the reasons for a preset that cannot be mounted
 */
export async function pinPreset(tx: Tx, ctx: ServiceContext, slug: string): Promise<PinnedPreset> {
  const found = await findPreset(tx, ctx.orgId, slug);
  const preset = found.isPlatform ? found : await hold(tx, ctx, found);
  const { state, reasons } = presetState(ctx.orgId, preset, await readPresetGround(tx, ctx));
  if (state === "ok" && preset.current) return { id: preset.id, slug, revision: preset.current.revision };
  const what = state === "draft" ? "has no valid version yet" : "cannot be mounted";
  const shown = reasons.slice(0, maxReasons).join(" ");
  throw new AppError("PRESET_BROKEN", `The preset ${slug} ${what}. ${shown} Choose another preset, or ask an admin to repair this one.`);
}

/** Until the transaction ends nobody removes the preset. Shared, so that sessions begin side by side; the removal waits for all of them. */
export const holdPreset = (tx: Tx, presetId: string): Promise<unknown> =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${presetId}, 0))`;

async function hold(tx: Tx, ctx: ServiceContext, { id, slug }: PresetRow): Promise<PresetRow> {
  await holdPreset(tx, id);
  const held = await findPreset(tx, ctx.orgId, slug);
  return held.id === id ? held : hold(tx, ctx, held); // removed and made anew while this one waited
}
