import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { readDefaultPreset } from "./default-preset.ts";
import { readPresetGround } from "./preset-ground.ts";
import { type PresetItem, presetItem } from "./preset-item.ts";
import { readPresets } from "./preset-row.ts";

/** The roster: the organisation's presets and the platform's, by order, then slug. Broken ones and drafts are listed with their reasons (G-3). */
export async function listPresets(ctx: ServiceContext): Promise<PresetItem[]> {
  const [presets, ground, defaultSlug] = await withOrg(
    ctx.orgId,
    async (tx) => [await readPresets(tx, ctx.orgId), await readPresetGround(tx, ctx), await readDefaultPreset(tx, ctx)] as const,
  );
  const items = presets.map((preset) => presetItem(ctx.orgId, preset, { ground, defaultSlug }));
  return items.sort((a, b) => a.order - b.order || (a.slug < b.slug ? -1 : 1));
}
