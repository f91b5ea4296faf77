import type { SessionInput } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { assertSession, type Feedback, feedbackColumns, feedbackView } from "./feedback-row.ts";

/** The caller's own feedback on a session's answers, oldest first (FBK-1). @throws NOT_FOUND */
export async function listFeedback(ctx: ServiceContext, { sessionId }: SessionInput): Promise<Feedback[]> {
  const { orgId, userId } = ctx;
  return withOrg(orgId, async (tx) => {
    await assertSession(tx, ctx, sessionId);
    const where = { orgId, sessionId, userId };
    const rows = await tx.messageFeedback.findMany({
      where,
      orderBy: [{ createdAt: "asc" }, { messageId: "asc" }],
      select: feedbackColumns,
    });
    return rows.map(feedbackView);
  });
}
