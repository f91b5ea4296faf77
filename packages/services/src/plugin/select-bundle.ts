import type { CompositionState } from "../composition/composition-state.ts";
import { findBundle, isEntitled, selected } from "./bundle-view.ts";
import type { Refusal } from "./operation-result.ts";

export type Selection = { readonly bundles: readonly string[] } | { readonly refused: Refusal } | { readonly already: string };

/** The ordered list with a bundle at its end, so that it wins over those before it. */
export function withBundle(state: CompositionState, name: string): Selection {
  const bundle = findBundle(name);
  if (!bundle) return { refused: { code: "BUNDLE_UNKNOWN", message: "There is no optional bundle of this name. Load the list again." } };
  if (selected(state).includes(name)) return { already: "The bundle is on already." };
  if (!isEntitled(state, bundle))
    return {
      refused: { code: "BUNDLE_NOT_ENTITLED", message: "The bundle is not part of this plan. Ask the operator of the installation." },
    };
  return { bundles: [...state.org.bundles, name] };
}

/** The list without it; a bundle that this release does not have any more can be taken off too. */
export function withoutBundle({ plan, org }: CompositionState, name: string): Selection {
  if (org.bundles.includes(name)) return { bundles: org.bundles.filter((one) => one !== name) };
  if (plan.bundles.includes(name))
    return { refused: { code: "ROW_LOCKED", message: "The plan brings this bundle, so the organisation cannot take it off." } };
  return { already: "The bundle is off already." };
}
