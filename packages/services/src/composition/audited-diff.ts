import { diffCompositions, type RowDiff } from "@gantry/compose";
import type { Json } from "@gantry/contracts";
import { composeState } from "./compose-state.ts";
import type { CompositionState, LayerText } from "./composition-state.ts";

/** The audit row stays small: both revisions are kept whole, so the rest can be looked up. */
const maxEntries = 100;
const maxValueChars = 200;

/** What a change does to the rows, for its audit row (N-10): bundles, then one entry a row or field. Secrets are references in it, as everywhere. */
export function auditedDiff(state: CompositionState, next: LayerText): Json {
  const diffs = diffCompositions(composeState(state).composition, composeState(state, { org: next }).composition);
  const rows = diffs.slice(0, maxEntries).map(entryOf);
  return { bundles: { from: [...state.org.bundles], to: [...next.bundles] }, rows, omitted: Math.max(0, diffs.length - maxEntries) };
}

function entryOf(diff: RowDiff): Json {
  if (diff.kind !== "changed") return { kind: diff.kind, id: diff.id, name: diff.row.name };
  return { kind: diff.kind, id: diff.id, field: diff.field, from: short(diff.from), to: short(diff.to) };
}

function short(value: unknown): string | null {
  const text = value === undefined ? null : JSON.stringify(value);
  return text && text.length > maxValueChars ? `${text.slice(0, maxValueChars)}…` : text;
}
