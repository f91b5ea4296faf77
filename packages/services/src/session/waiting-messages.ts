import { CommandPayload, type OrgId, type SessionId } from "@gantry/contracts";
import type { Tx } from "@gantry/db";

/** A message that no worker has taken up: it is not in the log yet, so the page has it from here. */
export type WaitingMessage = { readonly messageId: string; readonly author: string | null; readonly text: string };

/** A page shows the first of them; all stay queued. */
const maxShown = 20;

/** What people wrote and nobody has begun with, oldest first. Commands that are none or that this release does not know are left out. */
export async function waitingMessages(
  tx: Tx,
  { orgId, sessionId }: { readonly orgId: OrgId; readonly sessionId: SessionId },
): Promise<WaitingMessage[]> {
  const rows = await tx.sessionCommand.findMany({
    where: { orgId, sessionId, consumedAt: null },
    orderBy: { ordinal: "asc" },
    take: maxShown,
    select: { payload: true },
  });
  return rows.flatMap(({ payload }) => {
    const { data } = CommandPayload.safeParse(payload);
    return data?.kind === "send" ? [{ messageId: data.messageId, author: data.userName, text: data.text }] : [];
  });
}
