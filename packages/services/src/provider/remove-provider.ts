import { AppError, type RemoveProvider } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";

/** Removes a provider and its key. Sessions that use it keep their log; their next turn reports that the model is gone. @throws NOT_FOUND */
export async function removeProvider(ctx: ServiceContext, { slug }: RemoveProvider): Promise<{ slug: string }> {
  return withOrg(ctx.orgId, async (tx) => {
    const gone = await tx.provider.deleteMany({ where: { orgId: ctx.orgId, slug } });
    if (gone.count === 0) throw new AppError("NOT_FOUND", "There is no such model provider in this organisation.");
    await writeAudit(tx, ctx, { action: "provider.remove", details: { slug } });
    return { slug };
  });
}
