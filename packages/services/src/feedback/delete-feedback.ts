import type { DeleteFeedback } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { versionConflict } from "./feedback-errors.ts";
import { assertSession, findFeedback, ownRow } from "./feedback-row.ts";

/** Takes the caller's feedback on an answer back, if it is the version they read; one that is gone already is a success. @throws as `putFeedback` */
export async function deleteFeedback(ctx: ServiceContext, input: DeleteFeedback): Promise<{ messageId: string }> {
  const { sessionId, messageId, ifVersion } = input;
  return withOrg(ctx.orgId, async (tx) => {
    await assertSession(tx, ctx, sessionId);
    const removed =
      ifVersion === null ? 0 : (await tx.messageFeedback.deleteMany({ where: { ...ownRow(ctx, input), version: ifVersion } })).count;
    if (removed === 1) await writeAudit(tx, ctx, { action: "feedback.delete", subject: sessionId, details: { messageId } });
    const left = removed === 1 ? null : await findFeedback(tx, ctx, input);
    if (left) throw versionConflict(left);
    return { messageId };
  });
}
