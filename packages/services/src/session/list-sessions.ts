import type { ListSessions } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { cursorToPlace, defaultPageSize, type Page, toPage } from "../paging.ts";
import { activeBefore, lastActiveFirst, placeOfSession } from "./session-order.ts";
import { type SessionSummary, summaryColumns, summaryView } from "./session-view.ts";

/** Sessions of the organisation or of one workspace, last active first; archived ones are left out. */
export async function listSessions(ctx: ServiceContext, input: ListSessions): Promise<Page<SessionSummary>> {
  const limit = input.limit ?? defaultPageSize;
  const after = input.cursor ? cursorToPlace(input.cursor) : undefined;
  const rows = await withOrg(ctx.orgId, (tx) =>
    tx.session.findMany({
      where: {
        orgId: ctx.orgId,
        archivedAt: null,
        ...(input.workspaceId && { workspaceId: input.workspaceId }),
        ...(after && activeBefore(after)),
      },
      orderBy: lastActiveFirst,
      take: limit + 1,
      select: summaryColumns,
    }),
  );
  return toPage(rows, limit, summaryView, placeOfSession);
}
