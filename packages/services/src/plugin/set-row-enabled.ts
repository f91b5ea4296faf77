import { setRowEnabled as editRow } from "@gantry/compose";
import type { SetRowEnabled } from "@gantry/contracts";
import { composeState } from "../composition/compose-state.ts";
import { switchedTo } from "../composition/composition-state.ts";
import { changeComposition } from "../composition/lock-composition.ts";
import type { ServiceContext } from "../context.ts";
import { activate, type OperationResult, refused, unchanged } from "./operation-result.ts";

/**
 * Switches one row on or off in the org's layer: in the last patch that names it, else in a patch of its own at the end (KN-100). The rest of the text,
 * comments included, stays. A row of another plugin than `name`, a locked one or one that administration needs is refused.
 * @throws REVISION_STALE, COMPOSITION_BUSY, NOT_FOUND for an unknown profile
 */
export function setRowEnabled(ctx: ServiceContext, input: SetRowEnabled): Promise<OperationResult> {
  const { row, name, enabled, reason, force } = input;
  return changeComposition(ctx, input, async (tx, state) => {
    const below = composeState(state, { upTo: "plan" }).composition;
    const edited = editRow(state.org.source, { row, name, enabled }, { current: composeState(state).composition, below });
    if ("refused" in edited) return refused(state, row, { code: edited.refused, message: edited.message });
    if (edited.source === state.org.source) return unchanged(state, row, `The row is ${enabled ? "on" : "off"} already.`);
    const fact = { action: "plugin.setEnabled", subject: row, target: row, reason, force };
    return activate(tx, ctx, state, switchedTo(edited.source, state.org.bundles), fact);
  });
}
