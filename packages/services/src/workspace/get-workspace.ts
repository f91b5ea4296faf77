import type { WorkspaceInput } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { findWorkspace } from "./find-workspace.ts";
import type { WorkspaceView } from "./workspace-view.ts";

/** One workspace with its import state. @throws NOT_FOUND */
export async function getWorkspace(ctx: ServiceContext, { workspaceId }: WorkspaceInput): Promise<WorkspaceView> {
  return withOrg(ctx.orgId, (tx) => findWorkspace(tx, ctx.orgId, workspaceId));
}
