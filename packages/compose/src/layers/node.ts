import type { JsonObject } from "@gantry/contracts";
import { type ChangeField, isGroup, type Row } from "../rows/row.ts";

import { isPlatform, type Layer } from "./layer.ts";

/** A row while it is composed, with who wrote it. Its `config` is `children` when it is a group. Its parts are those of the layers: never written to. */
export type Node = {
  row: Omit<Row, "config"> & { config?: JsonObject };
  children: Node[] | null;
  /** label of the layer that inserted it */
  origin: string;
  /** whether the platform inserted it */
  shipped: boolean;
  /** labels of the other layers that changed it, in order (D-2) */
  patchedBy: string[];
  /** the last layer that wrote each field */
  fields: Record<string, string>;
};

/** The row as its layers wrote it: a copy that shares nothing. */
export function rowOf(node: Node): Row {
  const { config, ...rest } = structuredClone(node.row);
  const { id, name, ...others } = rest;
  const content = node.children ? node.children.map(rowOf) : config;
  return { id, name, ...(content === undefined ? {} : { config: content }), ...others };
}

export function makeNode(row: Row, { label: origin, kind }: Pick<Layer, "label" | "kind">, children: Node[] | null): Node {
  const { config, ...rest } = row;
  const own = isGroup(row) || config === undefined ? {} : { config: config as JsonObject };
  const fields = Object.fromEntries(Object.keys(row).map((field) => [field, origin]));
  return { row: { ...rest, ...own }, children, origin, shipped: isPlatform(kind), patchedBy: [], fields };
}

export function fieldOf(node: Node, field: ChangeField): unknown {
  return field === "config" && node.children ? node.children.map(rowOf) : node.row[field];
}

/** This node and all below it. */
export function* subtree(node: Node): Generator<Node> {
  yield node;
  for (const child of node.children ?? []) yield* subtree(child);
}
