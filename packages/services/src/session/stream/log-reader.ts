import type { LiveFrame, SessionEvent, SessionId } from "@gantry/contracts";
import { readEvents } from "@gantry/db";
import type { ServiceContext } from "../../context.ts";
import { eventCount } from "../list-events.ts";
import { createBatchBuilder } from "./batch-builder.ts";
import type { StreamItem } from "./stream-session.ts";

const pageEvents = 200;
type Items = AsyncGenerator<StreamItem, void, void>;

export type LogReader = {
  /** Position of the last event sent, as the id of the stream. */
  lastId(): string;
  /** The stored events up to position `end`, exclusive. */
  readUntil(end: number): Items;
  /** Everything stored and not sent yet. @throws NOT_FOUND once the session is gone */
  catchUp(): Items;
  /** Whether the feed skipped no event before or among these. */
  isNext(frames: readonly LiveFrame[]): boolean;
  /** Live frames that are next, without waiting for anything: nearly all turns of a stream are such. */
  merge(frames: readonly LiveFrame[]): Iterable<StreamItem>;
  /** Live frames: events in their order, read from the log where the feed skipped some; deltas and activity as they are. */
  follow(frames: readonly LiveFrame[]): Items;
};

/** Keeps a reader's place in the log, so that events come once, in order and without a gap, from whichever side they arrive (CP-16). */
export function createLogReader(ctx: ServiceContext, sessionId: SessionId, start: number): LogReader {
  const batch = createBatchBuilder();
  let next = start;
  const lastId = () => String(next - 1);
  const flush = (): StreamItem => ({ id: lastId(), batch: batch.flush() });
  const add = (event: SessionEvent) => {
    batch.addEvent(event);
    next = event.seq + 1;
  };

  async function* readUntil(end: number): Items {
    while (next < end) {
      const to = Math.min(end, next + pageEvents);
      for (const event of await readEvents(ctx.orgId, sessionId, { from: next, to })) {
        add(event);
        if (batch.isFull) yield flush();
      }
      next = to; // events that this release may skip leave no trace (SES-5)
    }
    if (!batch.isEmpty) yield flush();
  }

  const addFrame = (frame: LiveFrame): void => {
    if (frame.kind === "delta") batch.addDelta(frame);
    else if (frame.kind === "activity") batch.setActivity(frame.activity);
    else if (frame.event.seq === next) add(frame.event);
  };

  function* merge(frames: readonly LiveFrame[]): Generator<StreamItem, void, void> {
    for (const frame of frames) {
      addFrame(frame);
      if (batch.isFull) yield flush();
    }
    if (!batch.isEmpty) yield flush();
  }

  async function* follow(frames: readonly LiveFrame[]): Items {
    for (const frame of frames) {
      if (frame.kind === "event" && frame.event.seq > next) yield* readUntil(frame.event.seq);
      addFrame(frame);
      if (batch.isFull) yield flush();
    }
    if (!batch.isEmpty) yield flush();
  }

  function isNext(frames: readonly LiveFrame[]): boolean {
    let expected = next;
    for (const frame of frames) {
      if (frame.kind !== "event" || frame.event.seq < expected) continue;
      if (frame.event.seq > expected) return false;
      expected += 1;
    }
    return true;
  }

  return {
    lastId,
    readUntil,
    isNext,
    merge,
    follow,
    async *catchUp() {
      yield* readUntil(await eventCount(ctx, sessionId));
    },
  };
}
