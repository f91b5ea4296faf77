import type { SessionInput } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { sessionNotFound } from "./session-not-found.ts";
import { readSessionPreset } from "./session-preset.ts";
import { detailColumns, detailView, type SessionDetail } from "./session-view.ts";
import { waitingMessages } from "./waiting-messages.ts";

/** Header and present state of one session. @throws NOT_FOUND */
export async function getSession(ctx: ServiceContext, { sessionId }: SessionInput): Promise<SessionDetail> {
  return withOrg(ctx.orgId, async (tx) => {
    const row = await tx.session.findUnique({ where: { orgId_id: { orgId: ctx.orgId, id: sessionId } }, select: detailColumns });
    if (!row) throw sessionNotFound();
    const preset = await readSessionPreset(tx, row.presetId, row.presetRevision);
    return detailView(row, { preset, waiting: await waitingMessages(tx, { orgId: ctx.orgId, sessionId }) });
  });
}
