import { type DumpedRow, dumpJson, type PresetComposition } from "@gantry/compose";

/** The rows of a preset as the dump shows them, with what becomes of each (D-1). */
export function dumpRows(composition: PresetComposition): readonly DumpedRow[] {
  return dumpJson({ ...composition, profile: "preset", catalogVersion: "", facts: {} }, { resolved: true }).rows;
}
