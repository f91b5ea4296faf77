import type { WorkspaceId } from "@gantry/contracts";
import { importWorkspace } from "@gantry/queue";
import { announce } from "../announce.ts";
import type { ServiceContext } from "../context.ts";

/** Queues the import of a workspace whose row says `importing`. */
export async function announceImport(ctx: ServiceContext, workspaceId: WorkspaceId): Promise<void> {
  await announce(ctx, importWorkspace.name, () => ctx.producer.enqueue(importWorkspace, { orgId: ctx.orgId, workspaceId }));
}
