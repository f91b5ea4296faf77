import type { OrgId, UserId } from "@gantry/contracts";
import { withUser } from "@gantry/db";
import type { Role } from "../context.ts";

export type MembershipOf = { readonly orgId: OrgId; readonly role: Role };

/** A person's place in the organisation with this slug; null for a foreign organisation as for one that does not exist. */
export async function findMembership(userId: UserId, slug: string): Promise<MembershipOf | null> {
  const row = await withUser(userId, (tx) =>
    tx.membership.findFirst({ where: { userId, org: { slug } }, select: { orgId: true, role: true } }),
  );
  return row ? { orgId: row.orgId as OrgId, role: row.role } : null;
}
