import type { OrgId, SessionId } from "@gantry/contracts";
import { type FeedSubscriber, type SessionFrames, sessionFrames } from "@gantry/feed";

/** Turns are at least so far apart, and frames wait no longer than this. */
const gatherMs = 50;
const nothing: SessionFrames = { gap: false, frames: [] };

export type FrameTurns = {
  /** What arrived since the last turn; waits for it up to `maxWaitMs`, then answers with nothing. Ends at once when the signal aborts. */
  next(maxWaitMs: number): Promise<SessionFrames>;
  close(): void;
};

/** The live frames of a session in turns of about 50 ms, subscribed from the moment of the call. */
export function openFrameTurns(feed: FeedSubscriber, orgId: OrgId, sessionId: SessionId, signal: AbortSignal): FrameTurns {
  const closing = new AbortController();
  const either = AbortSignal.any([signal, closing.signal]);
  const turns = sessionFrames(feed, orgId, sessionId, either)[Symbol.asyncIterator]();
  let waiting: Promise<SessionFrames> | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    async next(maxWaitMs) {
      await within(lastAt + gatherMs - performance.now(), either);
      waiting ??= turns.next().then((result) => (result.done ? nothing : result.value));
      const turn = await within(maxWaitMs, either, waiting);
      lastAt = performance.now();
      if (turn) waiting = undefined;
      return turn ?? nothing;
    },
    close: () => closing.abort(),
  };
}

/** The promise's value, or undefined after `ms` or on abort. */
async function within<T>(ms: number, signal: AbortSignal, promise?: Promise<T>): Promise<T | undefined> {
  if (ms <= 0 || signal.aborted) return undefined;
  const over = Promise.withResolvers<undefined>();
  const end = () => over.resolve(undefined);
  const timer = setTimeout(end, ms);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race(promise === undefined ? [over.promise] : [promise, over.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}
