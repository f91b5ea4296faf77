import { stringify } from "yaml";
import { catalogData } from "../catalog/index.ts";
import { compose } from "../compose.ts";
import { diffCompositions, type RowDiff } from "../dump/diff.ts";
import type { Row } from "../rows/row.ts";

/** Rows as the YAML that an editor begins with; read back it gives the same rows. */
export const presetText = (rows: readonly Row[]): string =>
  rows.length === 0 ? "[]\n" : stringify(rows, { lineWidth: 0, aliasDuplicateObjects: false });

/** What the rows `b` have that `a` have not, row by row and field by field. `by` is the side that has it: `a` or `b`. */
export function diffPresets(a: readonly Row[], b: readonly Row[]): RowDiff[] {
  const side = (label: string, rows: readonly Row[]) =>
    compose({
      profile: "web",
      layers: [{ label, kind: "bundle", patches: [{ insert: rows }] }],
      catalog: catalogData,
      facts: {},
      plane: "preset",
    });
  return diffCompositions(side("a", a), side("b", b));
}
