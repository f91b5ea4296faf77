import { AppError, type OrgId, type UserId } from "@gantry/contracts";
import { enterOrg, type Tx } from "@gantry/db";
import { newId } from "@gantry/platform";
import { writeAudit } from "../audit/write-audit.ts";
import { orgSlug, slugVariant } from "./org-slug.ts";

const attempts = 5;

/** Creates an organisation with its first owner; the slug comes from the name and gets a random end when it is taken. */
export async function createOrg(tx: Tx, owner: UserId, name: string, action: string): Promise<{ orgId: OrgId; slug: string }> {
  const orgId = newId<OrgId>();
  await enterOrg(tx, orgId);
  const slug = await insertOrg(tx, orgId, name);
  await tx.membership.createMany({ data: [{ orgId, userId: owner, role: "owner" }] });
  await writeAudit(tx, { orgId, userId: owner }, { action, subject: orgId, details: { slug } });
  return { orgId, slug };
}

async function insertOrg(tx: Tx, id: OrgId, name: string): Promise<string> {
  const wanted = orgSlug(name);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const slug = attempt === 0 ? wanted : slugVariant(wanted);
    const stored = await tx.org.createMany({ data: [{ id, slug, name }], skipDuplicates: true });
    if (stored.count === 1) return slug;
  }
  throw new AppError("SLUG_TAKEN", "No free address was found for this organisation name. Try another name.", {
    data: { field: "orgName" },
  });
}
