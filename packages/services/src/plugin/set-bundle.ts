import type { SetBundle } from "@gantry/contracts";
import { switchedTo } from "../composition/composition-state.ts";
import { changeComposition } from "../composition/lock-composition.ts";
import type { ServiceContext } from "../context.ts";
import { activate, type OperationResult, refused, unchanged } from "./operation-result.ts";
import { withBundle, withoutBundle } from "./select-bundle.ts";

/**
 * Puts an optional bundle at the end of the org's list, or takes it off. Which rows it would override is in the list of bundles beforehand.
 * @throws REVISION_STALE, COMPOSITION_BUSY, NOT_FOUND for an unknown profile
 */
export function setBundle(ctx: ServiceContext, input: SetBundle): Promise<OperationResult> {
  const { bundle, on, reason } = input;
  return changeComposition(ctx, input, async (tx, state) => {
    const selection = on ? withBundle(state, bundle) : withoutBundle(state, bundle);
    if ("refused" in selection) return refused(state, bundle, selection.refused);
    if ("already" in selection) return unchanged(state, bundle, selection.already);
    const fact = { action: "plugin.setBundle", subject: bundle, target: bundle, reason, force: input.force };
    return activate(tx, ctx, state, switchedTo(state.org.source, selection.bundles), fact);
  });
}
