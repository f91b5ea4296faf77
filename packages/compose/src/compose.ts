import type { JsonObject } from "@gantry/contracts";
import type { Catalog, Plane } from "./catalog/entry.ts";
import { checkHost } from "./checks/check-host.ts";
import { checkNames, knownServices } from "./checks/check-names.ts";
import { checkFinalConfig, checkPlugin } from "./checks/check-plugin.ts";
import { checkServices } from "./checks/check-services.ts";
import { checkShared } from "./checks/check-shared.ts";
import { clampConfig } from "./clamp.ts";
import type { ComposedRow, Composition, MountRow, Outcome } from "./composition.ts";
import { evaluate } from "./conditions/evaluate.ts";
import type { Facts } from "./conditions/facts.ts";
import { factsIn, resolveConfig } from "./conditions/resolve-config.ts";
import type { Issue } from "./input/issue.ts";
import { keyPath } from "./input/issue.ts";
import { limits } from "./input/limits.ts";
import { hashOf, own, type Scalar } from "./json.ts";
import { applyLayers } from "./layers/apply-layers.ts";
import { type Layer, layerKinds } from "./layers/layer.ts";
import { type Node, rowOf } from "./layers/node.ts";
import { groupName, type Row } from "./rows/row.ts";
import { hostCapabilities } from "./services/capabilities.ts";
import type { HostRequirements } from "./services/host-requirements.ts";

export type ComposeInput = {
  profile: string;
  /** in any order of kinds; kinds apply as R-12 says, layers of one kind in the order given */
  layers: readonly Layer[];
  catalog: Catalog;
  facts: Facts;
  plane?: Plane;
  /** services that are there before any row; by default what the worker gives every root */
  services?: ReadonlySet<string>;
  /** what the rows must offer together; left out: nothing in particular */
  requires?: HostRequirements;
  /** the rows of the root that a preset is composed for: they say who would provide a service that is missing */
  around?: readonly ComposedRow[];
  /** ids that an invocation layer may touch */
  invocationIds?: ReadonlySet<string>;
};

/**
 * Layers to rows: apply, decide conditions, clamp, check (§8, §9). Never throws for what a layer holds: what is left out is a warning, what must not
 * mount is a problem. The same input gives the same output, byte for byte; nothing given is changed.
 */
export function compose(input: ComposeInput): Composition {
  const { profile, layers, catalog, facts: given, plane = "host", services = hostCapabilities, invocationIds, requires, around } = input;
  const facts = { ...given, "profile.name": profile };
  const ordered = layerKinds.flatMap((kind) => layers.filter((layer) => layer.kind === kind));
  const { nodes, warnings } = applyLayers(ordered, { catalog, ...(invocationIds ? { invocationIds } : {}) });
  const known = knownServices(catalog);
  const work: Work = { catalog, facts, plane, known, problems: [] };
  const rows = nodes.map((node) => composeNode(work, node, "$", true));
  // what a preset provides outside realms is a leak, whoever else has it
  const taken = plane === "host" ? services : new Set<string>();
  work.problems.push(...checkServices(rows, catalog, { services, around }), ...checkShared(rows, catalog, taken));
  if (requires) work.problems.push(...checkHost(rows, catalog, requires));
  const mounts = rows.flatMap(mountRow);
  const count = countRows(rows);
  if (count > limits.maxRows) {
    const message = `The composition has ${count} rows, ${limits.maxRows} is the most. Remove some.`;
    work.problems.push({ code: "INPUT_LIMIT", path: "$", message });
  }
  const used: Record<string, Scalar> = {};
  for (const name of [...factsIn(rows.map(({ row }) => row))].sort()) used[name] = (own(facts, name) ?? null) as Scalar;
  const catalogVersion = catalog.version;
  const hash = hashOf({ mounts, catalogVersion, facts: used });
  return { profile, hash, catalogVersion, facts: used, rows, mounts, warnings, problems: work.problems };
}

type Work = { catalog: Catalog; facts: Facts; plane: Plane; known: ReadonlySet<string>; problems: Issue[] };

function composeNode(work: Work, node: Node, parent: string, live: boolean): ComposedRow {
  const row = rowOf(node);
  const path = keyPath(parent, row.id);
  const on = live && !evaluate(row.disabled ?? false, work.facts);
  work.problems.push(...checkNames(row, path, work.known));
  const children = node.children?.map((child) => composeNode(work, child, path, on));
  const outcome = row.name === groupName ? groupOutcome(on) : rowOutcome(work, row, path, on);
  const { origin, patchedBy, fields } = node;
  return { row, origin, patchedBy, fields, outcome, ...(children ? { children } : {}) };
}

/** A group that is off takes all below it along (G-11). */
const groupOutcome = (on: boolean): Outcome => (on ? { state: "mounts", clamps: [] } : { state: "disabled" });

function rowOutcome({ catalog, facts, plane, problems }: Work, row: Row, path: string, on: boolean): Outcome {
  const entry = catalog.find(row.name);
  problems.push(...checkPlugin(row.name, path, { catalog, plane, facts }));
  if (!entry || !on) return { state: "disabled" };
  if (entry.planned) return { state: "planned" };
  const { config, clamps } = clampConfig(entry, resolveConfig((row.config ?? {}) as JsonObject, facts) as JsonObject, facts);
  problems.push(...checkFinalConfig(catalog, entry, config, path));
  return { state: "mounts", ...(row.config === undefined ? {} : { config }), clamps };
}

function mountRow({ row, outcome, children }: ComposedRow): MountRow[] {
  if (outcome.state !== "mounts") return [];
  const { id, name, isolate, inject } = row;
  const { config } = outcome;
  const content = children ? { children: children.flatMap(mountRow) } : config === undefined ? {} : { config };
  return [{ id, name, ...content, ...(isolate ? { isolate } : {}), ...(inject ? { inject } : {}) }];
}

const countRows = (rows: readonly ComposedRow[]): number => rows.reduce((sum, { children = [] }) => sum + 1 + countRows(children), 0);
