import type { ProviderRow } from "@gantry/compose";
import { AppError, type OrgId, type ProviderId } from "@gantry/contracts";
import { type StoredLayer, type Tx, withOrg, withSystem } from "@gantry/db";
import type { OrgParts } from "../org-composition.ts";

type Reading = {
  readonly profile: string;
  /** instead of the org layer in force: this revision of it; 0 is the state without one */
  readonly revision?: number;
};

/**
 * What the org's composition is made of, as it is stored. Providers without their keys, in the order of a session's start.
 * @throws AppError NOT_FOUND for a revision that the org layer does not have
 */
export async function readOrg(orgId: OrgId, { profile, revision }: Reading): Promise<OrgParts> {
  return await withOrg(orgId, async (tx) => {
    const select = { planTier: true, planSeats: true, flags: true } as const;
    const { planTier, planSeats, flags } = await tx.org.findUniqueOrThrow({ where: { id: orgId }, select });
    const plan = { tier: planTier, seats: planSeats, flags: flags as Record<string, boolean> };
    const layers = await readLayers(tx, orgId, profile);
    if (revision === undefined) return { providers: await readProviders(tx, orgId), layers, plan };
    const others = layers.filter(({ kind }) => kind !== "org");
    const then = revision === 0 ? [] : [await readRevision(tx, orgId, { profile, revision })];
    return { providers: await readProviders(tx, orgId), layers: [...others, ...then], plan };
  });
}

/** @throws AppError NOT_FOUND */
export async function readOrgId(slug: string): Promise<OrgId> {
  const found = await withSystem((tx) => tx.org.findUnique({ where: { slug }, select: { id: true } }));
  if (!found)
    throw new AppError("NOT_FOUND", "There is no organisation with this slug. It is the first part of the address in the browser.");
  return found.id as OrgId;
}

async function readProviders(tx: Tx, orgId: OrgId): Promise<ProviderRow[]> {
  const select = { id: true, slug: true, kind: true, baseUrl: true, models: true } as const;
  const rows = await tx.provider.findMany({ where: { orgId }, select, orderBy: { slug: "asc" } });
  return rows.map((row) => ({ ...row, id: row.id as ProviderId }));
}

const layer = { kind: true, revision: true, bundles: true, source: true } as const;

async function readLayers(tx: Tx, orgId: OrgId, profile: string): Promise<StoredLayer[]> {
  const pointers = await tx.compositionPointer.findMany({ where: { orgId, profile }, select: { current: { select: layer } } });
  return pointers.map(({ current }) => current as StoredLayer);
}

async function readRevision(tx: Tx, orgId: OrgId, { profile, revision }: { profile: string; revision: number }): Promise<StoredLayer> {
  const key = { orgId, profile, kind: "org", revision };
  const found = await tx.compositionRevision.findUnique({ where: { orgId_profile_kind_revision: key }, select: layer });
  if (!found) throw new AppError("NOT_FOUND", `The organisation's layer has no revision ${revision} for the profile ${profile}.`);
  return found as StoredLayer;
}
