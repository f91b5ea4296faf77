import type { StreamBatch, StreamInput } from "@gantry/contracts";
import type { ServiceContext } from "../../context.ts";
import { eventCount } from "../list-events.ts";
import { createAccessWatch } from "./access-watch.ts";
import { openFrameTurns } from "./frame-turns.ts";
import { createLogReader } from "./log-reader.ts";
import { startPosition } from "./start-position.ts";

/** One message of the stream; `id` is the position of the last event sent so far, "-1" before the first. */
export type StreamItem = { readonly id: string; readonly batch: StreamBatch };

/** How often the log is asked for what the feed did not bring: while the feed is down, and as a safety net beside it. */
const pollDownMs = 1_000;
const pollUpMs = 5_000;

/**
 * A session as it happens: history, then live. Events come without gap or duplicate, in order of their position, whatever the feed loses,
 * repeats or reorders; deltas pass through. Login and membership are checked every 10 s. Ends when the signal aborts, and after history when that is
 * all that was asked for.
 * @throws NOT_FOUND, UNAUTHENTICATED, and UNAVAILABLE after 30 s without the database
 */
export async function* streamSession(ctx: ServiceContext, input: StreamInput, signal: AbortSignal): AsyncGenerator<StreamItem, void, void> {
  const { sessionId, lastEventId } = input;
  const turns = openFrameTurns(ctx.feed, ctx.orgId, sessionId, signal); // before the log is read: nothing falls between the two
  try {
    const access = createAccessWatch(ctx);
    const count = await eventCount(ctx, sessionId);
    const log = createLogReader(ctx, sessionId, startPosition(lastEventId, count));
    yield* log.readUntil(count);
    yield { id: log.lastId(), batch: { events: [], deltas: [], caughtUp: true } };
    if (input.once) return;
    let pollAt = 0;
    while (!signal.aborted) {
      const { gap, frames } = await turns.next();
      if (signal.aborted) return;
      try {
        if (access.isDue()) await access.check();
        if (log.isNext(frames)) for (const item of log.merge(frames)) yield item;
        else yield* log.follow(frames);
        if (gap || performance.now() >= pollAt) yield* log.catchUp();
      } catch (error) {
        access.bear(error);
        pollAt = Math.min(pollAt, performance.now() + pollDownMs);
      }
      pollAt = nextPoll(pollAt);
    }

    function nextPoll(pollAt: number): number {
      const next = performance.now() + (ctx.feed.isUp() ? pollUpMs : pollDownMs);
      return performance.now() >= pollAt ? next : Math.min(pollAt, next);
    }
  } finally {
    turns.close();
  }
}
