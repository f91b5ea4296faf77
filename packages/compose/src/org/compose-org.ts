import { profileLayers } from "../bundles/profiles.ts";
import { catalogData } from "../catalog/index.ts";
import { compose } from "../compose.ts";
import type { Composition } from "../composition.ts";
import type { Facts } from "../conditions/facts.ts";
import { type Layer, type LayerKind, layerKinds } from "../layers/layer.ts";
import { type ProviderRow, providerLayer } from "./provider-layer.ts";

export type OrgInput = {
  profile?: string;
  providers: readonly ProviderRow[];
  /** stored layers of the plan, the org, the project, the request */
  layers?: readonly Layer[];
  facts: Facts;
  /** leaves out the layers after this kind, so that a broken one cannot block recovery (D-6) */
  upTo?: LayerKind;
};

/** The composition of an org: what its root mounts and what the dump prints (D-1). @throws AppError NOT_FOUND for an unknown profile */
export function composeOrg({ profile = "web", providers, layers = [], facts, upTo = "invocation" }: OrgInput): Composition {
  const last = layerKinds.indexOf(upTo);
  const all = [...profileLayers(profile), providerLayer(providers), ...layers];
  return compose({ profile, layers: all.filter(({ kind }) => layerKinds.indexOf(kind) <= last), catalog: catalogData, facts });
}
