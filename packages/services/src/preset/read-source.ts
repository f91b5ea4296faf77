import { checkPreset, type Issue, type PresetComposition, type Row, readPresetSource } from "@gantry/compose";
import type { PresetGround } from "./preset-ground.ts";

export type ReadSource = {
  /** as they stand in the text; none when it cannot be read */
  readonly rows: readonly Row[];
  readonly problems: readonly Issue[];
  readonly composition: PresetComposition | null;
};

/** A preset's text as rows, with everything that stands against using it (G-4). Pure: nothing is started. */
export function readSource(slug: string, source: string, { facts, hostRows }: PresetGround): ReadSource {
  const read = readPresetSource(source);
  if (!read.ok) return { rows: [], problems: read.issues, composition: null };
  return { rows: read.rows, ...checkPreset({ slug, source, facts, hostRows }) };
}
