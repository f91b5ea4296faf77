import { catalogData } from "../catalog/index.ts";
import type { ComposedRow, Composition } from "../composition.ts";
import { evaluate } from "../conditions/evaluate.ts";
import { factsIn } from "../conditions/resolve-config.ts";
import type { Condition } from "../conditions/vocabulary.ts";
import { describeIssue } from "../input/issue.ts";
import { applyLayers } from "../layers/apply-layers.ts";
import { checkLayerText, readLayer } from "../layers/layer.ts";
import { subtree } from "../layers/node.ts";
import { LayerDocument } from "./layer-document.ts";
import { isBothWays, managementRows } from "./management-rows.ts";

export type Toggle = { readonly row: string; readonly name: string; readonly enabled: boolean };
/** `current`: the composition with the org layer; `below`: the one without it (`upTo: "plan"`). */
export type ToggleContext = { readonly current: Composition; readonly below: Composition };
export type ToggleResult = { source: string } | Refused;
type Refused = { refused: "NOT_FOUND" | "PATCH_NAME_MISMATCH" | "ROW_LOCKED" | "INPUT_REFUSED"; message: string };

/**
 * The text of the org layer with one row switched on or off. Changes only `disabled` in the last patch of the layer that is for this row, else appends one;
 * where the row is as wanted without that `disabled` and no comment stands at it, takes it away. Comments and line ends stay. Refuses unknown and locked rows, another plugin's name, and to switch
 * management rows off. A row
 * that is as wanted already gives the text unchanged.
 */
export function setRowEnabled(source: string, toggle: Toggle, context: ToggleContext): ToggleResult {
  const { row: id, name, enabled } = toggle;
  const refusal = refusalOf(toggle, context) ?? brokenText(source);
  if (refusal) return refusal;
  const holds = (text: string) => isEnabled(text, id, context) === enabled;
  if (holds(source)) return { source };
  const { patches } = readLayer("org", "org", source);
  const last = patches.findLastIndex((patch) => !("insert" in patch) && patch.id === id && (patch.name ?? name) === name);
  const patch = patches[last];
  const edited = (change: (document: LayerDocument) => void): string => {
    const document = new LayerDocument(source);
    change(document);
    return document.text();
  };
  const mayGo = patch !== undefined && "disabled" in patch && !new LayerDocument(source).hasNote(last, "disabled");
  const removed = mayGo ? edited((document) => document.remove(last, "disabled")) : null;
  if (removed !== null && holds(removed)) return { source: removed };
  const set = patch ? edited((document) => document.set(last, "disabled", !enabled)) : null;
  // a later patch may write the row anew with its whole group: then only the end of the layer has the last word
  if (set !== null && holds(set)) return { source: set };
  return { source: edited((document) => document.append({ id, name, disabled: !enabled })) };
}

function refusalOf({ row, name, enabled }: Toggle, { current, below }: ToggleContext): Refused | null {
  const composed = find(current.rows, row);
  if (!composed) return { refused: "NOT_FOUND", message: `There is no row "${row}" in this composition. Reload the list.` };
  if (composed.row.name !== name) {
    return { refused: "PATCH_NAME_MISMATCH", message: `"${row}" is ${composed.row.name}, not ${name}. Reload the list.` };
  }
  if (holds(composed, ({ row: { name: plugin } }) => catalogData.find(plugin)?.locked === true)) {
    return { refused: "ROW_LOCKED", message: `"${row}" belongs to the platform, so it cannot be switched here.` };
  }
  // what is off by mistake can always be switched on again
  const isOfPlatform = find(below.rows, row) !== undefined || composed.children !== undefined;
  if (!isOfPlatform || !holds(composed, (one) => managementRows.has(one.row.id) && (!enabled || isBothWays(one.row.id)))) return null;
  return { refused: "ROW_LOCKED", message: `"${row}" keeps sessions running and safe, so it cannot be switched off here.` };
}

function brokenText(source: string): Refused | null {
  const issues = checkLayerText(source);
  if (issues.length === 0) return null;
  return { refused: "INPUT_REFUSED", message: `The layer has mistakes; repair them first. ${issues.map(describeIssue).join(" ")}` };
}

/** A group is guarded with what it holds. */
const holds = (row: ComposedRow, test: (row: ComposedRow) => boolean): boolean =>
  test(row) || (row.children ?? []).some((child) => holds(child, test));

/** What the row itself says with this text as the org layer; null where that cannot be told: no such row, or a condition on a fact that nobody asked for. */
function isEnabled(text: string, id: string, { current, below }: ToggleContext): boolean | null {
  const shipped = { label: "below", kind: "bundle", patches: [{ insert: below.rows.map(({ row }) => row) }] } as const;
  const { nodes } = applyLayers([shipped, readLayer("org", "org", text)], { catalog: catalogData });
  const row = nodes.flatMap((node) => [...subtree(node)]).find((node) => node.row.id === id)?.row;
  const disabled: Condition = row?.disabled ?? false;
  const facts = { ...below.facts, ...current.facts };
  if (!row || [...factsIn(disabled)].some((name) => !Object.hasOwn(facts, name))) return null;
  return !evaluate(disabled, facts);
}

function find(rows: readonly ComposedRow[], id: string): ComposedRow | undefined {
  return rows.flatMap((row) => (row.row.id === id ? row : (find(row.children ?? [], id) ?? []))).at(0);
}
