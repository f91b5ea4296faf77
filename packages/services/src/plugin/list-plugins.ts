import { type ComposedRow, catalogData, managementRows, rowStates } from "@gantry/compose";
import type { CompositionInput } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { composeState } from "../composition/compose-state.ts";
import { readState } from "../composition/composition-state.ts";
import type { ServiceContext } from "../context.ts";
import { allRows, type BundleView, bundleViews } from "./bundle-view.ts";
import { type CataloguePlugin, pluginView } from "./inspect-plugin.ts";

/** A row of the composition as the plugin manager lists it (`listEntries`). */
export type PluginRow = {
  readonly id: string;
  /** of the plugin */
  readonly name: string;
  readonly description: string;
  readonly origin: string;
  readonly patchedBy: readonly string[];
  readonly state: "mounts" | "disabled" | "planned" | "pending" | "invalid";
  /** services that nobody provides */
  readonly waitingFor: readonly string[];
  readonly reasons: readonly string[];
  /** the platform's: no layer of the org changes it */
  readonly isLocked: boolean;
  /** administration itself needs it, so it cannot be switched off here */
  readonly isManagement: boolean;
  readonly provides: readonly string[];
  readonly requires: readonly string[];
};

export type PluginList = {
  readonly rows: readonly PluginRow[];
  readonly bundles: readonly BundleView[];
  readonly catalogue: readonly CataloguePlugin[];
  /** what a change has to expect */
  readonly revision: number;
};

/** Rows of an org's composition with their states, bundles to choose from, and the catalogue. @throws NOT_FOUND for an unknown profile */
export function listPlugins(ctx: ServiceContext, { profile }: CompositionInput): Promise<PluginList> {
  return withOrg(ctx.orgId, async (tx) => {
    const state = await readState(tx, ctx, profile);
    const { composition } = composeState(state);
    const states = rowStates(composition);
    const rows = allRows(composition.rows).map((one) => rowView(one, states.get(one.row.id)));
    return { rows, bundles: bundleViews(state), catalogue: catalogData.entries.map(pluginView), revision: state.org.revision };
  });
}

type RowState = ReturnType<typeof rowStates> extends ReadonlyMap<string, infer S> ? S : never;
const unknownState: RowState = { state: "invalid", waitingFor: [], reasons: [], locked: false };

function rowView({ row, origin, patchedBy }: ComposedRow, { state, waitingFor, reasons, locked } = unknownState): PluginRow {
  const entry = catalogData.find(row.name);
  return {
    id: row.id,
    name: row.name,
    description: entry?.description ?? "",
    origin,
    patchedBy,
    state,
    waitingFor,
    reasons,
    isLocked: locked,
    isManagement: managementRows.has(row.id),
    provides: entry?.provides ?? [],
    requires: entry?.requires ?? [],
  };
}
