import type { ListSessions } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { cursorToPlace, defaultPageSize, type Page, toPage } from "../paging.ts";
import { activeBefore, lastActiveFirst, placeOfSession } from "./session-order.ts";
import { type SessionSummary, summaryColumns, summaryView } from "./session-view.ts";

/** Nothing was ever written in it and nobody asked it for anything: files may have been attached to a first message that was not sent. */
const isDraft = { nextSeq: 0, wakes: 0 };

const live = ["waiting", "working", "stopping"];

/** Sessions of the organisation or of one workspace, last active first; archived ones and drafts are left out (SES-10a). `isLive`: no others than those that work or wait. */
export async function listSessions(ctx: ServiceContext, input: ListSessions): Promise<Page<SessionSummary>> {
  const limit = input.limit ?? defaultPageSize;
  const after = input.cursor ? cursorToPlace(input.cursor) : undefined;
  const rows = await withOrg(ctx.orgId, (tx) =>
    tx.session.findMany({
      where: {
        orgId: ctx.orgId,
        archivedAt: null,
        NOT: isDraft,
        ...(input.isLive && { status: { in: live } }),
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
