import type { ListWorkspaces } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { cursorToPlace, defaultPageSize, type Page, toPage } from "../paging.ts";
import { type WorkspaceView, workspaceColumns, workspaceView } from "./workspace-view.ts";

/** The organisation's workspaces, newest first. */
export async function listWorkspaces(ctx: ServiceContext, input: ListWorkspaces): Promise<Page<WorkspaceView>> {
  const limit = input.limit ?? defaultPageSize;
  const after = input.cursor ? cursorToPlace(input.cursor) : undefined;
  const rows = await withOrg(ctx.orgId, (tx) =>
    tx.workspace.findMany({
      where: {
        orgId: ctx.orgId,
        ...(after && { OR: [{ createdAt: { lt: after.time } }, { createdAt: after.time, id: { lt: after.id } }] }),
      },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: limit + 1,
      select: workspaceColumns,
    }),
  );
  return toPage(rows, limit, workspaceView, (row) => ({ time: row.createdAt, id: row.id }));
}
