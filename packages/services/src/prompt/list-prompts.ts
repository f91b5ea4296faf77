import type { ListPrompts } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { sessionNotFound } from "../session/session-not-found.ts";
import { type PromptView, promptColumns, promptView } from "./prompt-view.ts";

/** What a session asks people now, oldest first. @throws NOT_FOUND */
export async function listPrompts({ orgId }: ServiceContext, { sessionId }: ListPrompts): Promise<PromptView[]> {
  const session = await withOrg(orgId, (tx) =>
    tx.session.findUnique({
      where: { orgId_id: { orgId, id: sessionId } },
      select: {
        prompts: {
          where: { state: "pending", OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] },
          orderBy: [{ createdAt: "asc" }, { id: "asc" }],
          take: 100,
          select: promptColumns,
        },
      },
    }),
  );
  if (!session) throw sessionNotFound();
  return session.prompts.map(promptView);
}
