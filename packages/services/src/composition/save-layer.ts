import type { Issue } from "@gantry/compose";
import type { SaveLayer } from "@gantry/contracts";
import type { ServiceContext } from "../context.ts";
import { affectedPresets, assertConfirmed } from "./affected-presets.ts";
import { commitRevision } from "./commit-revision.ts";
import { newProblems } from "./compose-state.ts";
import { type CompositionState, draftOf, emptySource, type LayerText } from "./composition-state.ts";
import { changeComposition } from "./lock-composition.ts";

/** `problems` empty: `revision` is in force. Else nothing was saved and `revision` is what still is. */
export type SavedLayer = {
  readonly revision: number;
  readonly problems: readonly Issue[];
  /** presets that could be used before and cannot any more */
  readonly affectedPresets: readonly string[];
};

/**
 * Stores a text as the org's layer and puts it in force for new sessions. A text with a locked row, a row of another plane, one that the plan does not
 * include, a taken id or a config that its plugin refuses is not stored, and what is in force stays. The same text again makes no revision.
 * @throws REVISION_STALE, COMPOSITION_BUSY, NOT_FOUND for an unknown profile; PRESETS_BREAK when the default preset or one of the installation's could not be
 *   used any more and `force` is not given
 */
export function saveLayer(ctx: ServiceContext, input: SaveLayer): Promise<SavedLayer> {
  return changeComposition(ctx, input, async (tx, state) => {
    const next = draftOf(input.source, state.org.bundles);
    const problems = saveProblems(state, next);
    if (problems.length > 0 || next.source === state.org.source) return { revision: state.org.revision, problems, affectedPresets: [] };
    const affected = await affectedPresets(tx, ctx, state, next);
    assertConfirmed(affected, input.force);
    const revision = await commitRevision(tx, ctx, state, next, { action: "composition.save", reason: input.reason });
    return { revision, problems: [], affectedPresets: affected.slugs };
  });
}

/** All that is wrong with a text itself; what is wrong without it as well is not its fault. */
export function saveProblems(state: CompositionState, next: LayerText): Issue[] {
  return newProblems(state, next, draftOf(emptySource, state.org.bundles));
}
