import { diffPresets, type Row } from "@gantry/compose";

/** Enough to find a change again; an audit row is no diff. */
const maxIds = 50;

/** Ids of the rows that came, went or changed, for the audit trail: never what they hold. */
export function changedRowIds(before: readonly Row[], after: readonly Row[]): string[] {
  return [...new Set(diffPresets(before, after).map(({ id }) => id))].slice(0, maxIds);
}
