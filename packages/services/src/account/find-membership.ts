import type { OrgId, UserId } from "@gantry/contracts";
import { userRows } from "@gantry/db";
import type { Role } from "../context.ts";

export type MembershipOf = { readonly orgId: OrgId; readonly role: Role };

const bySlug = {
  name: "membership-by-slug",
  text: `
    SELECT m.org_id AS "orgId", m.role FROM memberships m JOIN orgs o ON o.id = m.org_id
    WHERE m.user_id = $1::uuid AND o.slug = $2`,
};

/** A person's place in the organisation with this slug; null for a foreign organisation as for one that does not exist. */
export async function findMembership(userId: UserId, slug: string): Promise<MembershipOf | null> {
  const [row] = await userRows<MembershipOf>(userId, bySlug, [userId, slug]);
  return row ?? null;
}
