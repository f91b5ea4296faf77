import { AppError } from "@gantry/contracts";
import type { DeclaredFacts } from "../conditions/facts.ts";
import { type Gated, gateText, gateValue } from "../input/gate.ts";
import { describeIssue, type Issue, indexPath, keyPath, placed } from "../input/issue.ts";
import { limits } from "../input/limits.ts";
import { detached, isObject, own } from "../json.ts";
import { checkFields, checkRows, invalid } from "../rows/check-rows.ts";
import type { Patch } from "../rows/row.ts";

/** Who wrote a layer, in the order in which layers apply. */
export const layerKinds = ["bundle", "plan", "org", "project", "invocation"] as const;
export type LayerKind = (typeof layerKinds)[number];
/** `label` names the layer in the dump and in warnings. */
export type Layer = { readonly label: string; readonly kind: LayerKind; readonly patches: readonly Patch[] };

/** Layers that the platform writes; what is locked refuses all others. */
export const isPlatform = (kind: LayerKind): boolean => kind === "bundle" || kind === "plan";

/** What is wrong with a text as a layer, each with its line: for editors. Empty when {@link readLayer} would take it. */
export const checkLayerText = (text: string, declared: DeclaredFacts = {}): Issue[] => read(gateText(text), declared).issues;

/** A text as a layer, or null and what is wrong with it, each with its line. The text is parsed once. */
export function tryReadLayer(label: string, kind: LayerKind, text: string, declared: DeclaredFacts = {}): ReadLayer {
  const { patches, issues } = read(gateText(text), declared);
  return patches ? { layer: { label, kind, patches }, issues } : { layer: null, issues };
}

export type ReadLayer = { layer: Layer; issues: Issue[] } | { layer: null; issues: Issue[] };

/**
 * A layer from text (YAML or JSON) or from parsed data, through the gate. It shares nothing with its input.
 * @throws AppError INPUT_REFUSED naming the layer and every position that is refused
 */
export function readLayer(label: string, kind: LayerKind, source: string | { data: unknown }, declared: DeclaredFacts = {}): Layer {
  const { patches, issues } = read(typeof source === "string" ? gateText(source) : gateValue(source.data), declared);
  if (patches) return { label, kind, patches };
  throw new AppError("INPUT_REFUSED", `The layer "${label}" was refused. ${issues.map(describeIssue).join(" ")}`);
}

function read(gated: Gated, declared: DeclaredFacts): { patches: readonly Patch[] | null; issues: Issue[] } {
  const issues = gated.ok ? placed(checkPatches(gated.value, declared), gated.locate) : gated.issues;
  return { patches: gated.ok && issues.length === 0 ? (detached(gated.value) as unknown as readonly Patch[]) : null, issues };
}

function checkPatches(value: unknown, declared: DeclaredFacts): Issue[] {
  if (!Array.isArray(value)) return [invalid("$", "A layer is a list of patches. Start each with a dash; an empty layer is [].")];
  const rows = value.reduce((sum: number, patch) => sum + countRows(own(patch, "insert")) + countRows(own(patch, "config")), 0);
  const many: Issue[] =
    rows > limits.maxRows ? [{ code: "INPUT_LIMIT", path: "$", message: `There are more than ${limits.maxRows} rows. Remove some.` }] : [];
  return [...many, ...value.flatMap((patch, index) => checkPatch(patch, indexPath("$", index), declared))];
}

function checkPatch(patch: unknown, path: string, declared: DeclaredFacts): Issue[] {
  if (!isObject(patch)) return [invalid(path, "A patch is a map, and this entry is none. Remove it or write it out.")];
  if (!Object.hasOwn(patch, "insert")) return checkFields(patch, path, declared, null);
  const { insert, ...rest } = patch;
  const extra = Object.keys(rest).filter((key) => key !== "id");
  const others = extra.map((key) =>
    invalid(keyPath(path, key), "A patch that inserts takes only the id of a group beside it. Write a second patch."),
  );
  const target = Object.hasOwn(rest, "id") ? checkFields({ id: rest.id }, path, declared, null) : [];
  return [...others, ...target, ...checkRows(insert, keyPath(path, "insert"), declared)];
}

function countRows(rows: unknown): number {
  if (!Array.isArray(rows)) return 0;
  return rows.reduce((sum: number, row) => sum + 1 + countRows(own(row, "config")), 0);
}
