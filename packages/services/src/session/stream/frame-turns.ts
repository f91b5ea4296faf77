import type { OrgId, SessionId } from "@gantry/contracts";
import { type FeedSubscriber, type SessionFrames, sessionFrames } from "@gantry/feed";

/** What all streams of this process together may send at most: one turn costs it about 0.1 ms, whatever is in it. */
const turnsPerMs = 5;
/** Turns of one stream are at least so far apart, and frames wait no longer than this: as short as the feed's own turns while there is room. */
const shortestGatherMs = 5;
const longestGatherMs = 50;
let openStreams = 0;
const nothing: SessionFrames = { gap: false, frames: [] };
const missed: SessionFrames = { gap: true, frames: [] };

export type FrameTurns = {
  /** What arrived since the last turn; waits for it up to `maxWaitMs`, then answers with nothing. Ends at once when the signal aborts. */
  next(maxWaitMs: number): Promise<SessionFrames>;
  close(): void;
};

/** The live frames of a session in turns of 5 to 50 ms, longer with more open streams; subscribed from the moment of the call. */
export function openFrameTurns(feed: FeedSubscriber, orgId: OrgId, sessionId: SessionId, signal: AbortSignal): FrameTurns {
  const closing = new AbortController();
  // one listener for the whole stream: adding and removing one each turn showed in the profile of the web process
  let release: () => void = () => {};
  const end = (): void => {
    if (closing.signal.aborted) return;
    openStreams -= 1;
    closing.abort();
    signal.removeEventListener("abort", end);
    release();
  };
  const turns = sessionFrames(feed, orgId, sessionId, closing.signal)[Symbol.asyncIterator]();
  let isListening = false;
  let arrived: SessionFrames | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  let isGathering = false;
  openStreams += 1;
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();

  /** Waits `ms`, or until `release` is called. */
  const pause = (ms: number): Promise<void> | undefined => {
    if (ms <= 0 || closing.signal.aborted) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      release = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  };
  const listen = (): void => {
    if (isListening) return;
    isListening = true;
    const take = (turn: SessionFrames): void => {
      isListening = false;
      arrived = turn;
      if (!isGathering) release();
    };
    turns.next().then(
      ({ done, value }) => take(done ? nothing : value),
      () => take(missed),
    );
  };

  return {
    async next(maxWaitMs) {
      isGathering = true;
      await pause(lastAt + gatherMs() - performance.now());
      isGathering = false;
      if (!arrived) {
        listen();
        await pause(maxWaitMs);
      }
      const turn = arrived ?? nothing;
      arrived = undefined;
      lastAt = performance.now();
      return turn;
    },
    close: end,
  };
}

function gatherMs(): number {
  return Math.min(longestGatherMs, Math.max(shortestGatherMs, openStreams / turnsPerMs));
}
