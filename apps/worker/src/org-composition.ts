import {
  type Composition,
  composeOrg,
  type Facts,
  type Issue,
  type Layer,
  type LayerKind,
  layerKinds,
  orgFacts,
  type ProviderRow,
  readLayer,
} from "@gantry/compose";
import { isAppError } from "@gantry/contracts";
import type { SessionStart, StoredLayer } from "@gantry/db";
import type { Env } from "@gantry/platform";

/** What an org stores of its composition. */
export type OrgParts = Pick<SessionStart, "layers" | "plan"> & { readonly providers: readonly ProviderRow[] };
type Options = { readonly profile?: string; readonly upTo?: LayerKind };
type Platform = Pick<Env, "GANTRY_ALLOW_PRIVATE_HOSTS">;

/** What conditions may ask about an org here (E-6). */
export const factsOf = (plan: OrgParts["plan"], env: Platform): Facts =>
  orgFacts(plan, { os: process.platform, privateHosts: env.GANTRY_ALLOW_PRIVATE_HOSTS });

/**
 * What an org is composed of. The root mounts it and the dump prints it, so the two cannot differ (D-1). A stored layer that cannot be read is a
 * problem of the composition; layers after `upTo` are not looked at, so that a broken one cannot block recovery (D-6).
 */
export function orgComposition(
  { providers, layers, plan }: OrgParts,
  env: Platform,
  { profile, upTo = "invocation" }: Options = {},
): Composition {
  const kinds = layerKinds.slice(0, layerKinds.indexOf(upTo) + 1);
  const wanted = kinds.flatMap((kind) => layers.filter((layer) => layer.kind === kind)); // their bundles apply in this order too
  const read = wanted.map(readStored);
  const composition = composeOrg({
    ...(profile === undefined ? {} : { profile }),
    providers,
    bundles: wanted.flatMap(({ bundles }) => bundles),
    layers: read.flatMap(({ layer }) => (layer ? [layer] : [])),
    facts: factsOf(plan, env),
    upTo,
  });
  const unread = read.flatMap(({ issue }) => (issue ? [issue] : []));
  return unread.length === 0 ? composition : { ...composition, problems: [...unread, ...composition.problems] };
}

function readStored({ kind, source, revision }: StoredLayer): { layer?: Layer; issue?: Issue } {
  try {
    return { layer: readLayer(`${kind}@${revision}`, kind, source) };
  } catch (error) {
    if (!isAppError(error, "INPUT_REFUSED")) throw error;
    return { issue: { code: "ROW_INVALID", path: `$.${kind}`, message: `Revision ${revision} cannot be read. ${error.message}` } };
  }
}
