import type { PresetId } from "@gantry/contracts";

/** The preset every installation ships with; the seed writes it. */
export const standardPresetId = "01900000-0000-7000-8000-000000000001" as PresetId;
