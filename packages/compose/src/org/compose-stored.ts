import type { Composition } from "../composition.ts";
import type { Issue } from "../input/issue.ts";
import { type LayerKind, layerKinds, tryReadLayer } from "../layers/layer.ts";
import { composeOrg, type OrgInput } from "./compose-org.ts";

/** A layer as it is stored: its text, and the optional bundles that come with it. `label` names it in dumps and warnings. */
export type StoredText = {
  readonly kind: LayerKind;
  readonly label: string;
  readonly bundles: readonly string[];
  readonly source: string;
};
export type ComposedStored = {
  readonly composition: Composition;
  /** the layers that cannot be read and were left out, in the order in which layers apply, with what is wrong and in which line */
  readonly unread: readonly { readonly label: string; readonly kind: LayerKind; readonly issues: readonly Issue[] }[];
};

/**
 * An org's composition from its layers as they are stored: what its root mounts, what pages show and what the dump prints (D-1). Kinds apply in their order,
 * and so do the bundles that they name. Layers after `upTo` are not looked at, so that a broken one cannot block recovery (D-6).
 * @throws AppError NOT_FOUND for an unknown profile
 */
export function composeStored({
  layers,
  upTo = "invocation",
  ...input
}: Omit<OrgInput, "bundles" | "layers"> & { readonly layers: readonly StoredText[] }): ComposedStored {
  const kinds = layerKinds.slice(0, layerKinds.indexOf(upTo) + 1);
  const wanted = kinds.flatMap((kind) => layers.filter((layer) => layer.kind === kind));
  const read = wanted.map(({ label, kind, source }) => ({ label, kind, ...tryReadLayer(label, kind, source) }));
  const composition = composeOrg({
    ...input,
    upTo,
    bundles: wanted.flatMap(({ bundles }) => bundles),
    layers: read.flatMap(({ layer }) => layer ?? []),
  });
  const unread = read.flatMap(({ label, kind, layer, issues }) => (layer ? [] : [{ label, kind, issues }]));
  return { composition, unread };
}
