import { eventData, type ListEvents, type SessionEvent } from "@gantry/contracts";
import { countEvents, readEvents } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { sessionNotFound } from "./session-not-found.ts";

const defaultLimit = 200;

/** `hasMore`: older events exist; ask again with `before` = position of the first event here. */
export type EventPage = { readonly events: SessionEvent[]; readonly hasMore: boolean };

/** A page of the log, ascending: the events before a position, or the last ones; of unknown types that may be skipped there is no trace (SES-5). @throws NOT_FOUND */
export async function listEvents(ctx: ServiceContext, { sessionId, before, limit = defaultLimit }: ListEvents): Promise<EventPage> {
  for (let end = before; ; ) {
    const page = await readEvents(ctx.orgId, sessionId, { ...(end !== undefined && { to: end }), last: limit, keepUnknown: true });
    const events = page.filter(({ type }) => Object.hasOwn(eventData, type));
    const first = page[0]?.seq ?? 0;
    if (events.length > 0 || first === 0) return { events, hasMore: first > 0 };
    end = first; // a page that shows nothing would leave no position to go on from
  }
}

/** How many events the log has. @throws NOT_FOUND */
export async function eventCount(ctx: ServiceContext, sessionId: ListEvents["sessionId"]): Promise<number> {
  const count = await countEvents(ctx.orgId, sessionId);
  if (count === null) throw sessionNotFound();
  return count;
}
