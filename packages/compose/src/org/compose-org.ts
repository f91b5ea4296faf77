import { bundleLayer } from "../bundles/bundle.ts";
import { optionalBundles } from "../bundles/optional.ts";
import { profileLayers } from "../bundles/profiles.ts";
import { catalogData } from "../catalog/index.ts";
import { compose } from "../compose.ts";
import type { Composition } from "../composition.ts";
import { evaluate } from "../conditions/evaluate.ts";
import type { Facts } from "../conditions/facts.ts";
import { type Issue, indexPath } from "../input/issue.ts";
import { type Layer, type LayerKind, layerKinds } from "../layers/layer.ts";
import { hostRequirements } from "../services/host-requirements.ts";
import { type ProviderRow, providerLayer } from "./provider-layer.ts";

export type OrgInput = {
  profile?: string;
  providers: readonly ProviderRow[];
  /** names of optional bundles, applied in this order after the profile's own */
  bundles?: readonly string[];
  /** stored layers of the plan, the org, the project, the request */
  layers?: readonly Layer[];
  facts: Facts;
  /** leaves out the layers after this kind, so that a broken one cannot block recovery (D-6); `bundle` leaves the optional bundles out too */
  upTo?: LayerKind;
};

/** The composition of an org: what its root mounts and what the dump prints (D-1). @throws AppError NOT_FOUND for an unknown profile */
export function composeOrg({ profile = "web", providers, bundles = [], layers = [], facts, upTo = "invocation" }: OrgInput): Composition {
  const last = layerKinds.indexOf(upTo);
  const chosen = upTo === "bundle" ? { layers: [], problems: [] } : chooseBundles(bundles, { ...facts, "profile.name": profile });
  const all = [...profileLayers(profile), ...chosen.layers, providerLayer(providers), ...layers];
  const kept = all.filter(({ kind }) => layerKinds.indexOf(kind) <= last);
  const composition = compose({ profile, layers: kept, catalog: catalogData, facts, requires: hostRequirements });
  return { ...composition, problems: [...chosen.problems, ...composition.problems] };
}

/** The layers of optional bundles, and why others may not be chosen: unknown, not in the plan. A second mention counts for nothing. */
function chooseBundles(names: readonly string[], facts: Facts): { layers: Layer[]; problems: Issue[] } {
  const layers: Layer[] = [];
  const problems: Issue[] = [];
  for (const [index, name] of names.entries()) {
    const bundle = optionalBundles.find((one) => one.name === name);
    const path = indexPath("bundles", index);
    if (!bundle) {
      const known = optionalBundles.map((one) => one.name).join(", ");
      problems.push({ code: "BUNDLE_UNKNOWN", path, message: `There is no optional bundle "${name}". Remove it; there are ${known}.` });
    } else if (bundle.entitled !== undefined && !evaluate(bundle.entitled, facts)) {
      const message = `The bundle ${name} is not part of this plan. Remove it or change the plan.`;
      problems.push({ code: "BUNDLE_NOT_ENTITLED", path, message });
    } else if (names.indexOf(name) === index) layers.push(bundleLayer(bundle));
  }
  return { layers, problems };
}
