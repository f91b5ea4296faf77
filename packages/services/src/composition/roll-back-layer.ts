import type { RollBackLayer } from "@gantry/contracts";
import type { ServiceContext } from "../context.ts";
import { affectedPresets, assertConfirmed } from "./affected-presets.ts";
import { movePointer } from "./commit-revision.ts";
import { newProblems } from "./compose-state.ts";
import { nothingWritten, readRevision } from "./composition-state.ts";
import { changeComposition } from "./lock-composition.ts";
import type { SavedLayer } from "./save-layer.ts";

/**
 * Puts an earlier revision in force again by moving the pointer; 0 takes the org's layer out, whatever is in it. A revision that this release cannot
 * mount any more stays where it is, with the reasons. @throws REVISION_STALE, COMPOSITION_BUSY, NOT_FOUND; PRESETS_BREAK as in {@link saveLayer}
 */
export function rollBackLayer(ctx: ServiceContext, input: RollBackLayer): Promise<SavedLayer> {
  return changeComposition(ctx, input, async (tx, state) => {
    const next = await readRevision(tx, ctx.orgId, input.profile, input.revision);
    const problems = newProblems(state, next, nothingWritten);
    if (problems.length > 0 || next.revision === state.org.revision) return { revision: state.org.revision, problems, affectedPresets: [] };
    const affected = await affectedPresets(tx, ctx, state, next);
    assertConfirmed(affected, input.force);
    await movePointer(tx, ctx, state, next, { action: "composition.rollBack", reason: input.reason, previous: null });
    return { revision: next.revision, problems: [], affectedPresets: affected.slugs };
  });
}
