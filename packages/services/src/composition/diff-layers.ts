import { diffCompositions, type RowDiff } from "@gantry/compose";
import type { DiffLayers } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { composeState } from "./compose-state.ts";
import { readRevision, readState } from "./composition-state.ts";

/** What two revisions of the org's layer make of the composition, row by row (D-6). The read is audited (D-7). @throws NOT_FOUND */
export function diffLayers(ctx: ServiceContext, { profile, from, to }: DiffLayers): Promise<RowDiff[]> {
  return withOrg(ctx.orgId, async (tx) => {
    const state = await readState(tx, ctx, profile);
    const at = async (revision: number) => composeState(state, { org: await readRevision(tx, ctx.orgId, profile, revision) }).composition;
    const diff = diffCompositions(await at(from), await at(to));
    await writeAudit(tx, ctx, { action: "composition.diff", subject: profile, details: { from, to } });
    return diff;
  });
}
