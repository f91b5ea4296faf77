import type { PresetId } from "@gantry/contracts";

/** The presets that every installation ships with, by slug; the seed writes them. */
export const platformPresetIds = {
  standard: "01900000-0000-7000-8000-000000000001",
  ptc: "01900000-0000-7000-8000-000000000002",
  minimal: "01900000-0000-7000-8000-000000000003",
  cordis: "01900000-0000-7000-8000-000000000004",
} as const as Readonly<Record<"standard" | "ptc" | "minimal" | "cordis", PresetId>>;

export const standardPresetId = platformPresetIds.standard;
