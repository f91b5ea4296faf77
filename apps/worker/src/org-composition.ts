import { type Composition, composeOrg, type Facts, type OrgInput, type ProviderRow } from "@gantry/compose";
import type { OrgId, ProviderId } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { Env } from "@gantry/platform";

/** What an org is composed of. The root mounts it and the dump prints it, so the two cannot differ (D-1). */
export function orgComposition(
  providers: readonly ProviderRow[],
  env: Pick<Env, "GANTRY_ALLOW_PRIVATE_HOSTS">,
  options: Pick<OrgInput, "profile" | "upTo"> = {},
): Composition {
  const facts: Facts = { "platform.os": process.platform, "platform.privateHosts": env.GANTRY_ALLOW_PRIVATE_HOSTS };
  return composeOrg({ ...options, providers, facts });
}

/** The org's providers without their keys, in the order in which a session's start reads them. */
export async function readProviders(orgId: OrgId): Promise<ProviderRow[]> {
  const select = { id: true, slug: true, kind: true, baseUrl: true, models: true } as const;
  const rows = await withOrg(orgId, (tx) => tx.provider.findMany({ where: { orgId }, select, orderBy: { slug: "asc" } }));
  return rows.map((row) => ({ ...row, id: row.id as ProviderId }));
}
