import { type CatalogEntry, catalogData } from "@gantry/compose";
import type { InspectPlugin } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { readState } from "../composition/composition-state.ts";
import type { ServiceContext } from "../context.ts";
import { type BundleView, bundleViews } from "./bundle-view.ts";

/** What the catalogue knows of a plugin. */
export type CataloguePlugin = {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly description: string;
  readonly planes: readonly string[];
  readonly provides: readonly string[];
  readonly requires: readonly string[];
  readonly isPlanned: boolean;
  readonly isLocked: boolean;
};

export type Inspection =
  | { readonly answer: "found" | "already-installed"; readonly bundle: BundleView }
  | { readonly answer: "not-a-bundle"; readonly plugin: CataloguePlugin }
  | { readonly answer: "invalid-spec" | "not-found" };

/**
 * What a name stands for: an optional bundle as `name` or `name@version`, or a plugin of the catalogue, which is there anyway and needs a row instead of an
 * installation. Everything is looked up in this release, so no answer depends on a network. @throws NOT_FOUND for an unknown profile
 */
export function inspectPlugin(ctx: ServiceContext, { profile, spec }: InspectPlugin): Promise<Inspection> {
  return withOrg(ctx.orgId, async (tx): Promise<Inspection> => {
    const state = await readState(tx, ctx, profile);
    const wanted = readSpec(spec);
    if (!wanted) return { answer: "invalid-spec" };
    const bundle = bundleViews(state).find(({ name, version }) => name === wanted.name && (wanted.version ?? version) === version);
    if (bundle) return { answer: bundle.isOn ? "already-installed" : "found", bundle };
    const entry = wanted.version === null ? catalogData.find(wanted.name) : null;
    return entry ? { answer: "not-a-bundle", plugin: pluginView(entry) } : { answer: "not-found" };
  });
}

/** `name` or `name@version`; null for anything else, so also for paths, addresses and package names. */
export function readSpec(spec: string): { name: string; version: number | null } | null {
  const match = /^([a-z0-9][a-z0-9-]{0,63})(?:@(\d{1,9}))?$/.exec(spec);
  return match?.[1] ? { name: match[1], version: match[2] === undefined ? null : Number(match[2]) } : null;
}

export function pluginView(entry: CatalogEntry): CataloguePlugin {
  const { name, version, description, planes, provides, requires } = entry;
  return {
    name,
    package: entry.package,
    version,
    description,
    planes,
    provides,
    requires,
    isPlanned: entry.planned === true,
    isLocked: entry.locked === true,
  };
}
