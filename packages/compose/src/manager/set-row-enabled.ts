import { catalogData } from "../catalog/index.ts";
import type { ComposedRow, Composition } from "../composition.ts";
import { evaluate } from "../conditions/evaluate.ts";
import type { Condition } from "../conditions/vocabulary.ts";
import { describeIssue } from "../input/issue.ts";
import { checkLayerText, readLayer } from "../layers/layer.ts";
import { childrenOf, type Patch, type Row } from "../rows/row.ts";
import { LayerDocument } from "./layer-document.ts";
import { managementRows } from "./management-rows.ts";

export type Toggle = { readonly row: string; readonly name: string; readonly enabled: boolean };
/** `current`: the composition with the org layer; `below`: the one without it (`upTo: "plan"`). */
export type ToggleContext = { readonly current: Composition; readonly below: Composition };
export type ToggleResult =
  | { source: string }
  | { refused: "NOT_FOUND" | "PATCH_NAME_MISMATCH" | "ROW_LOCKED" | "INPUT_REFUSED"; message: string };

/**
 * The text of the org layer with one row switched on or off. Changes only `disabled` in the last patch of the layer that is for this row, else appends one;
 * switching on takes `disabled` away where that is enough. Comments stay. Refuses unknown, locked and management rows and another plugin's name. A row
 * that is as wanted already gives the text unchanged.
 */
export function setRowEnabled(source: string, toggle: Toggle, { current, below }: ToggleContext): ToggleResult {
  const { row: id, name, enabled } = toggle;
  const composed = find(current.rows, id);
  const refusal = refusalOf(composed, toggle);
  if (refusal) return refusal;
  const broken = checkLayerText(source);
  if (broken.length > 0)
    return { refused: "INPUT_REFUSED", message: `The layer has mistakes; repair them first. ${broken.map(describeIssue).join(" ")}` };
  const isOff = (condition: Condition | undefined) => evaluate(condition ?? false, current.facts);
  if (isOff(composed?.row.disabled) === !enabled) return { source };

  const { patches } = readLayer("org", "org", source);
  const document = new LayerDocument(source);
  const last = patches.findLastIndex((patch) => isFor(patch, id, name));
  const earlier = patches.slice(0, Math.max(last, 0)).findLast((patch) => isFor(patch, id, name) && "disabled" in patch);
  const inherited = disabledOf(earlier) ?? insertedIn(patches, id)?.disabled ?? find(below.rows, id)?.row.disabled;
  if (last === -1) document.append({ id, name, disabled: !enabled });
  else if (enabled && "disabled" in (patches[last] as Patch) && !isOff(inherited)) document.remove(last, "disabled");
  else document.set(last, "disabled", !enabled);
  return { source: document.text() };
}

function refusalOf(composed: ComposedRow | undefined, { row, name }: Toggle): Extract<ToggleResult, { refused: string }> | null {
  if (!composed) return { refused: "NOT_FOUND", message: `There is no row "${row}" in this composition. Reload the list.` };
  if (composed.row.name !== name) {
    return { refused: "PATCH_NAME_MISMATCH", message: `"${row}" is ${composed.row.name}, not ${name}. Reload the list.` };
  }
  if (managementRows.has(row) || isLocked(composed)) {
    return { refused: "ROW_LOCKED", message: `"${row}" keeps sessions running and safe, so it cannot be switched here.` };
  }
  return null;
}

/** A group is locked with what it holds. */
const isLocked = ({ row, children = [] }: ComposedRow): boolean =>
  catalogData.find(row.name)?.locked === true || children.some((child) => managementRows.has(child.row.id) || isLocked(child));

const isFor = (patch: Patch, id: string, name: string): boolean =>
  !("insert" in patch) && patch.id === id && (patch.name === undefined || patch.name === name);

const disabledOf = (patch: Patch | undefined): Condition | undefined => (patch && "disabled" in patch ? patch.disabled : undefined);

function insertedIn(patches: readonly Patch[], id: string): Row | undefined {
  const among = (rows: readonly Row[]): Row | undefined =>
    rows.flatMap((row) => (row.id === id ? row : (among(childrenOf(row)) ?? []))).at(0);
  return among(patches.flatMap((patch) => ("insert" in patch ? patch.insert : Array.isArray(patch.config) ? (patch.config as Row[]) : [])));
}

function find(rows: readonly ComposedRow[], id: string): ComposedRow | undefined {
  return rows.flatMap((row) => (row.row.id === id ? row : (find(row.children ?? [], id) ?? []))).at(0);
}
