import type { Json, OrgId, UserId } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import { newId } from "@gantry/platform";

export type AuditFact = {
  /** `<area>.<verb>`, the procedure's name where there is one */
  readonly action: string;
  /** id of what was changed */
  readonly subject?: string;
  /** ids, names and flags; never a secret, never message text */
  readonly details?: { readonly [key: string]: Json };
};

/** Records who did what, in the transaction of the change itself: the row exists exactly if the change does (SC-L2). */
export async function writeAudit(tx: Tx, actor: { orgId: OrgId; userId: UserId }, fact: AuditFact): Promise<void> {
  await tx.auditEntry.create({
    data: {
      id: newId(),
      orgId: actor.orgId,
      actorId: actor.userId,
      action: fact.action,
      subject: fact.subject ?? null,
      details: fact.details ?? {},
    },
    select: { id: true },
  });
}
