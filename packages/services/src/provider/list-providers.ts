import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { type ProviderView, providerColumns, providerView } from "./provider-view.ts";

/** The organisation's model providers, oldest first: the first one is the default of new sessions. */
export async function listProviders(ctx: ServiceContext): Promise<ProviderView[]> {
  const rows = await withOrg(ctx.orgId, (tx) =>
    tx.provider.findMany({ where: { orgId: ctx.orgId }, orderBy: { id: "asc" }, select: providerColumns, take: 200 }),
  );
  return rows.map(providerView);
}
