import type { ListEvents, SessionEvent } from "@gantry/contracts";
import { readEvents, withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { sessionNotFound } from "./session-not-found.ts";

const defaultLimit = 200;

/** `hasMore`: older events exist; ask again with `before` = position of the first event here. */
export type EventPage = { readonly events: SessionEvent[]; readonly hasMore: boolean };

/** A page of the log, ascending: the events before a position, or the last ones. @throws NOT_FOUND */
export async function listEvents(ctx: ServiceContext, { sessionId, before, limit = defaultLimit }: ListEvents): Promise<EventPage> {
  const events = await readEvents(ctx.orgId, sessionId, { ...(before !== undefined && { to: before }), last: limit });
  return { events, hasMore: (events[0]?.seq ?? 0) > 0 };
}

/** How many events the log has. @throws NOT_FOUND */
export async function eventCount(ctx: ServiceContext, sessionId: ListEvents["sessionId"]): Promise<number> {
  const row = await withOrg(ctx.orgId, (tx) =>
    tx.session.findUnique({ where: { orgId_id: { orgId: ctx.orgId, id: sessionId } }, select: { nextSeq: true } }),
  );
  if (!row) throw sessionNotFound();
  return row.nextSeq;
}
