import type { SessionInput } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { sessionNotFound } from "../session/session-not-found.ts";

export type Person = { readonly id: string; readonly name: string };

/** Who has answered what a session asked people, by name; somebody who left the organisation has none here. @throws NOT_FOUND */
export async function listDeciders({ orgId }: ServiceContext, { sessionId }: SessionInput): Promise<Person[]> {
  return withOrg(orgId, async (tx) => {
    const session = await tx.session.findUnique({
      where: { orgId_id: { orgId, id: sessionId } },
      select: { prompts: { where: { decidedBy: { not: null } }, distinct: ["decidedBy"], select: { decidedBy: true } } },
    });
    if (!session) throw sessionNotFound();
    const ids = session.prompts.flatMap(({ decidedBy }) => decidedBy ?? []);
    return tx.user.findMany({ where: { id: { in: ids } }, orderBy: { name: "asc" }, select: { id: true, name: true } });
  });
}
