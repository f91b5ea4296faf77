import type { RemoveBundle } from "@gantry/contracts";
import { composeState } from "../composition/compose-state.ts";
import { type CompositionState, switchedTo } from "../composition/composition-state.ts";
import { changeComposition } from "../composition/lock-composition.ts";
import type { ServiceContext } from "../context.ts";
import { activate, type OperationResult, refused } from "./operation-result.ts";
import { withoutBundle } from "./select-bundle.ts";

/** `remains`: what is still there of the bundle. */
export type RemovalResult = OperationResult & { readonly remains: readonly ("selection" | "patches")[] };

/**
 * Takes a bundle out of the org: deselect, unload, delete. It stops at the first step that fails. Unloading is the next root generation's, so it cannot fail
 * here; the definition is the platform's, so what there is to delete is the org's own and only its author can do it: patches for rows that are gone remain
 * in the layer, and are told. @throws REVISION_STALE, COMPOSITION_BUSY, NOT_FOUND for an unknown profile
 */
export function removeBundle(
  ctx: ServiceContext,
  { bundle, profile, expectedRevision, reason, force }: RemoveBundle,
): Promise<RemovalResult> {
  return changeComposition(ctx, { profile, expectedRevision }, async (tx, state) => {
    const selection = withoutBundle(state, bundle);
    if (!("bundles" in selection)) {
      const refusal = "refused" in selection ? selection.refused : { code: "NOT_FOUND", message: "The bundle is not installed." };
      return { ...refused(state, bundle, refusal, "deselect"), remains: "refused" in selection ? ["selection"] : [] };
    }
    const next = switchedTo(state.org.source, selection.bundles);
    const result = await activate(tx, ctx, state, next, { action: "plugin.remove", subject: bundle, target: bundle, reason, force });
    if (!result.saved) return { ...result, stage: "deselect", remains: ["selection"] };
    const orphans = missedPatches(state, next.bundles) > missedPatches(state, state.org.bundles);
    return { ...result, stage: "delete", remains: orphans ? ["patches"] : [] };
  });
}

/** How many patches of the org find no row. */
function missedPatches(state: CompositionState, bundles: readonly string[]): number {
  const org = { ...state.org, bundles };
  const { warnings } = composeState(state, { org }).composition;
  return warnings.filter(({ layer, code }) => layer === org.label && code === "PATCH_NOT_FOUND").length;
}
