import type { Tx } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { lockNamespace } from "../settings/write-section.ts";

/** Takes out the defaults, the organisation's and its workspaces', that name a preset which goes (G-5). Returns how many there were. */
export async function clearDefault(tx: Tx, ctx: ServiceContext, slug: string): Promise<number> {
  await lockNamespace(tx, ctx, "presets");
  return tx.$executeRaw`
    UPDATE settings SET value = value - 'default', revision = revision + 1, updated_by = ${ctx.userId}::uuid, updated_at = now()
    WHERE org_id = ${ctx.orgId}::uuid AND namespace = 'presets' AND value ->> 'default' = ${slug}`;
}
