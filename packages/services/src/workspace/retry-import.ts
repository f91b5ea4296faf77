import { AppError, type WorkspaceInput } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { announceImport } from "./announce-import.ts";
import { findWorkspace } from "./find-workspace.ts";
import type { WorkspaceView } from "./workspace-view.ts";

/**
 * Starts a failed import again from the same source; one that still waits is announced again, which repeats nothing.
 * @throws NOT_FOUND, CONFLICT when there is nothing to import
 */
export async function retryImport(ctx: ServiceContext, { workspaceId }: WorkspaceInput): Promise<WorkspaceView> {
  const view = await withOrg(ctx.orgId, async (tx) => {
    const workspace = await findWorkspace(tx, ctx.orgId, workspaceId);
    if (workspace.state === "ready") throw new AppError("CONFLICT", "This workspace is ready: there is no import to repeat.");
    await tx.workspace.updateMany({
      where: { orgId: ctx.orgId, id: workspaceId, state: "failed" },
      data: { state: "importing", problem: null },
    });
    await writeAudit(tx, ctx, { action: "workspace.retryImport", subject: workspaceId });
    return findWorkspace(tx, ctx.orgId, workspaceId);
  });
  await announceImport(ctx, workspaceId);
  return view;
}
