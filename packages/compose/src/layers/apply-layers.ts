import type { Catalog } from "../catalog/entry.ts";
import { sameJson } from "../json.ts";
import {
  type Change,
  type ChangeField,
  changeFields,
  childrenOf,
  groupName,
  type Insertion,
  isGroup,
  type Patch,
  type Row,
} from "../rows/row.ts";
import { isPlatform, type Layer } from "./layer.ts";
import { fieldOf, makeNode, type Node, subtree } from "./node.ts";
import type { Warning, WarningCode } from "./warning.ts";

export type LayerRules = {
  /** tells which rows refuse every layer but the platform's, and which stay on */
  catalog: Pick<Catalog, "find">;
  /** ids that an invocation layer may touch */
  invocationIds?: ReadonlySet<string>;
};

/** Applies layers as one flat list, later wins (8.2), copying only fields that a row has (D13). Inputs stay as they are; the same input, the same output. */
export function applyLayers(layers: readonly Layer[], rules: LayerRules): { nodes: Node[]; warnings: Warning[] } {
  const state: State = { top: [], index: new Map(), warnings: [], rules, layer: { label: "", kind: "bundle", patches: [] }, patch: 0 };
  for (const layer of layers) {
    state.layer = layer;
    for (const [position, patch] of layer.patches.entries()) {
      state.patch = position;
      applyPatch(state, patch);
    }
  }
  return { nodes: state.top, warnings: state.warnings };
}

type State = { top: Node[]; index: Map<string, Node>; warnings: Warning[]; rules: LayerRules; layer: Layer; patch: number };

type Refusal = [WarningCode, string];

function applyPatch(state: State, patch: Patch): void {
  const node = patch.id === undefined ? undefined : state.index.get(patch.id);
  const refusal = refusalOf(state, patch, node);
  if (refusal) warn(state, ...refusal, patch.id);
  else if (isInsertion(patch)) insert(state, patch, node);
  else if (node) change(state, patch, node);
}

const isInsertion = (patch: Patch): patch is Insertion => Object.hasOwn(patch, "insert");

/** Why a patch is skipped as a whole, or null. */
function refusalOf(state: State, patch: Patch, node: Node | undefined): Refusal | null {
  const { id } = patch;
  const insertion = isInsertion(patch);
  if (state.layer.kind === "invocation" && (insertion || !state.rules.invocationIds?.has(id ?? ""))) {
    return ["ROW_LOCKED", "a request may change only the rows that are opened for it; patch skipped."];
  }
  if (id === undefined) return insertion ? null : ["PATCH_NOT_FOUND", "a patch that does not insert needs an id; patch skipped."];
  if (!node) return ["PATCH_NOT_FOUND", `no row has the id "${id}"; patch skipped.`];
  if (insertion && !node.children) return ["PATCH_NOT_FOUND", `"${id}" is no group, so it holds no rows; insert skipped.`];
  if (!insertion) {
    const mismatch = changeRefusal(patch, id, node);
    if (mismatch) return mismatch;
  }
  const writes = insertion || givenFields(patch).length > 0;
  if (isPlatform(state.layer.kind) || !writes) return null;
  if (holds(node, ({ row }) => isLocked(state, row.name))) return ["ROW_LOCKED", lockedMessage(id)];
  return insertion ? null : settledRefusal(state, patch, id, node);
}

/** A row that sessions cannot do without stays on and where the platform put it: the org's layers may write its config. A group stays with what it holds. */
function settledRefusal({ rules: { catalog } }: State, patch: Change, id: string, node: Node): Refusal | null {
  const changed = givenFields(patch).filter((field) => !sameJson(fieldOf(node, field), patch[field]) && patch[field] !== false);
  const below = node.children !== null && holds(node, ({ row, shipped }) => shipped && isSettled(catalog, row.name));
  if (below && changed.length > 0)
    return ["ROW_LOCKED", `"${id}" holds rows that every session needs, so it stays as it is; patch skipped.`];
  if (!node.shipped || !isSettled(catalog, node.row.name)) return null;
  // the loop may give way to another one
  const isReplaceable = catalog.find(node.row.name)?.mandatory !== true;
  const refused = changed.filter((field) => field !== "config" && !(field === "disabled" && isReplaceable));
  if (refused.length === 0) return null;
  return [
    "ROW_LOCKED",
    `"${id}" keeps sessions running and safe: only its config may be changed, not ${refused.join(", ")}; patch skipped.`,
  ];
}

const isSettled = (catalog: LayerRules["catalog"], name: string): boolean => {
  const entry = catalog.find(name);
  return entry?.mandatory === true || entry?.fills !== undefined;
};

function changeRefusal(patch: Change, id: string, { row, children }: Node): Refusal | null {
  const { name, config, group } = patch;
  if (name !== undefined && name !== row.name) {
    const advice = "To change the plugin, disable the row and insert another.";
    return ["PATCH_NAME_MISMATCH", `"${id}" is ${row.name}, the patch expects ${name}; patch skipped. ${advice}`];
  }
  if (config !== undefined && Array.isArray(config) !== (children !== null)) {
    return ["PATCH_INVALID", `the config of "${id}" is ${children ? "a list of rows" : "a map"}; patch skipped.`];
  }
  if (group !== undefined && row.name !== groupName) {
    return ["PATCH_INVALID", `"${id}" is not ${groupName}, so it cannot become a group; patch skipped.`];
  }
  return null;
}

const givenFields = (patch: Change): ChangeField[] => changeFields.filter((field) => patch[field] !== undefined);
const lockedMessage = (id: string) => `"${id}" belongs to the platform and cannot be changed from here; skipped.`;

function insert(state: State, { insert: rows }: Insertion, target: Node | undefined): void {
  const planted = plant(state, rows);
  if (!target) state.top.push(...planted);
  else if (target.children && planted.length > 0) {
    target.children.push(...planted);
    touch(state, target, "config");
  }
}

function change(state: State, patch: Change, node: Node): void {
  for (const field of givenFields(patch)) replaceField(state, node, field, patch[field]);
}

/** The old rows of a group leave the index with its content, the new ones enter it. */
function replaceField(state: State, node: Node, field: ChangeField, value: unknown): void {
  if (sameJson(fieldOf(node, field), value)) return;
  if (field === "config" && node.children) {
    for (const child of node.children) for (const gone of subtree(child)) state.index.delete(gone.row.id);
    node.children = plant(state, value as readonly Row[]);
  } else node.row = { ...node.row, [field]: value };
  touch(state, node, field);
}

/** Clones rows into nodes and enters them into the index; a row whose id is taken, or that is the platform's to add, is left out. */
function plant(state: State, rows: readonly Row[]): Node[] {
  return rows.flatMap((row) => {
    if (state.index.has(row.id)) {
      warn(state, "ROW_DUPLICATE", `the id "${row.id}" is taken; row skipped. Choose another id, or write a patch for that row.`, row.id);
      return [];
    }
    if (!isPlatform(state.layer.kind) && isLocked(state, row.name)) {
      warn(state, "ROW_LOCKED", lockedMessage(row.id), row.id);
      return [];
    }
    const node = makeNode(row, state.layer, isGroup(row) ? [] : null);
    state.index.set(row.id, node);
    if (node.children) node.children = plant(state, childrenOf(row));
    return [node];
  });
}

function touch({ layer }: State, node: Node, field: ChangeField): void {
  node.fields[field] = layer.label;
  if (node.origin !== layer.label && !node.patchedBy.includes(layer.label)) node.patchedBy.push(layer.label);
}

const isLocked = ({ rules }: State, name: string): boolean => rules.catalog.find(name)?.locked === true;

/** A group is what it holds: replacing or disabling it would reach those rows. */
const holds = (node: Node, test: (node: Node) => boolean): boolean =>
  test(node) || (node.children ?? []).some((child) => holds(child, test));

function warn({ warnings, layer, patch }: State, code: WarningCode, message: string, id?: string): void {
  warnings.push({ code, layer: layer.label, patch, ...(id === undefined ? {} : { id }), message });
}
