import type { Catalog } from "../catalog/entry.ts";
import { catalogData } from "../catalog/index.ts";
import { checkIsolate } from "../checks/check-isolate.ts";
import { compose } from "../compose.ts";
import type { ComposedRow, Composition } from "../composition.ts";
import type { Facts } from "../conditions/facts.ts";
import type { Issue } from "../input/issue.ts";
import { composeOrg } from "../org/compose-org.ts";
import { providedServices } from "../services/provided.ts";
import { readPresetRows } from "./read-preset.ts";

export type PresetInput = {
  slug: string;
  revision: number;
  /** rows as stored; they pass the gate again */
  rows: unknown;
  facts: Facts;
  catalog?: Catalog;
  /** services of the root that the preset is mounted in; by default those of the web profile as the platform ships it */
  hostServices?: ReadonlySet<string>;
  /** the rows of that root: they give its services, and say by name which of them are switched off */
  hostRows?: readonly ComposedRow[];
};

export type PresetComposition = Composition & { readonly slug: string; readonly revision: number };

/**
 * What a generation of a preset mounts and why it must not: plane, conditions, clamp, config schemas, isolate rule, services (G-4, G-9). The same function
 * serves the save, the dry run and the worker. Never throws for what the rows hold; rows that the gate refuses give problems and nothing to mount.
 */
export function composePreset(input: PresetInput): PresetComposition {
  const { slug, revision, rows, facts, catalog = catalogData, hostRows, hostServices = hostRows && providedServices(hostRows) } = input;
  const read = readPresetRows(rows);
  const label = `${slug}@${revision}`;
  const composition = compose({
    profile: typeof facts["profile.name"] === "string" ? facts["profile.name"] : "web",
    // an org's kind, so that what only the platform may write is refused
    layers: read.ok ? [{ label, kind: "org", patches: [{ insert: read.rows }] }] : [],
    catalog,
    facts,
    plane: "preset",
    services: hostServices ?? shippedServices(),
    ...(hostRows ? { around: hostRows } : {}),
  });
  const refused = read.ok ? composition.warnings.map(asProblem) : read.issues;
  const problems = [...refused, ...composition.problems, ...checkIsolate(composition.rows, catalog)];
  return { slug, revision, ...composition, problems };
}

/** What composing a layer warns about is a mistake in a preset, which has no other layer to be about. */
const asProblem = ({ code, id, message }: Composition["warnings"][number]): Issue => ({
  code: code === "ROW_LOCKED" || code === "ROW_DUPLICATE" ? code : "ROW_INVALID",
  path: id === undefined ? "$" : `$.${id}`,
  message,
});

let shipped: ReadonlySet<string> | undefined;
const shippedServices = (): ReadonlySet<string> => {
  shipped ??= providedServices(composeOrg({ providers: [], facts: {} }).rows);
  return shipped;
};
