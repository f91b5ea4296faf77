import { diffCompositions, type Issue, type RowDiff } from "@gantry/compose";
import type { CheckLayer } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { affectedPresets } from "./affected-presets.ts";
import { composeState, type LayerWarning, ownWarnings } from "./compose-state.ts";
import { draftOf, readState } from "./composition-state.ts";
import { saveProblems } from "./save-layer.ts";

export type CheckedLayer = {
  readonly problems: Issue[];
  /** of the text, which may be saved with them */
  readonly warnings: LayerWarning[];
  readonly diff: RowDiff[];
  readonly affectedPresets: readonly string[];
};

/**
 * A dry run of {@link saveLayer}: what would be refused or left out, with lines, and what would change against the composition in force. Stores nothing. Audited as a
 * read, because the difference shows stored rows. @throws NOT_FOUND for an unknown profile
 */
export function checkLayer(ctx: ServiceContext, { profile, source }: CheckLayer): Promise<CheckedLayer> {
  return withOrg(ctx.orgId, async (tx) => {
    const state = await readState(tx, ctx, profile);
    const next = draftOf(source, state.org.bundles);
    const diff = diffCompositions(composeState(state).composition, composeState(state, { org: next }).composition);
    await writeAudit(tx, ctx, { action: "composition.check", subject: profile, details: { revision: state.org.revision } });
    const affected = await affectedPresets(tx, ctx, state, next);
    return { problems: saveProblems(state, next), warnings: ownWarnings(state, next), diff, affectedPresets: affected.slugs };
  });
}
