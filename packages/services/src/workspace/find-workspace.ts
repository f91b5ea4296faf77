import { AppError, type OrgId, type WorkspaceId } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import { type WorkspaceView, workspaceColumns, workspaceView } from "./workspace-view.ts";

/** One workspace of the organisation. @throws NOT_FOUND, also for another organisation's workspace */
export async function findWorkspace(tx: Tx, orgId: OrgId, id: WorkspaceId): Promise<WorkspaceView> {
  const row = await tx.workspace.findUnique({ where: { orgId_id: { orgId, id } }, select: workspaceColumns });
  if (!row) throw workspaceNotFound();
  return workspaceView(row);
}

export function workspaceNotFound(): AppError {
  return new AppError("NOT_FOUND", "There is no such workspace in this organisation.");
}
