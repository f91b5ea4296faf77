import type { OrgId, SessionId } from "@gantry/contracts";
import { type FeedSubscriber, openFrameQueue, type WaitingFrames } from "@gantry/feed";

/** What all streams of this process together may send at most: one turn costs it about 0.03 ms, whatever is in it. */
const turnsPerMs = 20;
/** Turns of one stream are at least so far apart, and frames wait no longer than this: as short as the feed's own turns while there is room. */
const shortestGatherMs = 5;
const longestGatherMs = 50;
/** A turn without frames comes so often, for a reader that has other things to look after. */
const idleMs = 500;
let openStreams = 0;
const nothing: WaitingFrames = { gap: false, frames: [] };

export type FrameTurns = {
  /** What arrived since the last turn; waits for it up to half a second, then answers with nothing. Ends at once when the signal aborts. */
  next(): Promise<WaitingFrames>;
  close(): void;
};

/**
 * The live frames of a session in turns of 5 to 50 ms, longer with more open streams; subscribed from the moment of the call. One promise a turn, and
 * a timer only for frames that have to wait: with a token a turn everything else showed in the profile of the web process.
 */
export function openFrameTurns(feed: FeedSubscriber, orgId: OrgId, sessionId: SessionId, signal: AbortSignal): FrameTurns {
  let deliver: ((turn: WaitingFrames) => void) | null = null;
  let isOpen = true;
  let isDue = false;
  let gathering: NodeJS.Timeout | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  const queue = openFrameQueue(feed, orgId, sessionId, arrived);
  const idle = setInterval(settle, idleMs);
  openStreams += 1;
  signal.addEventListener("abort", close, { once: true });
  if (signal.aborted) close();

  function arrived(): void {
    if (!deliver || isDue || gathering) return;
    const waitMs = lastAt + gatherMs() - performance.now();
    if (waitMs > 0) {
      gathering = setTimeout(settle, waitMs);
      return;
    }
    isDue = true; // not at once: the frames of one message belong to one turn
    queueMicrotask(settle);
  }

  function settle(): void {
    clearTimeout(gathering);
    gathering = undefined;
    isDue = false;
    const waiting = deliver;
    if (!waiting) return;
    deliver = null;
    lastAt = performance.now();
    idle.refresh();
    waiting((isOpen && queue.take()) || nothing);
  }

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    openStreams -= 1;
    queue.close();
    settle();
    clearInterval(idle);
    signal.removeEventListener("abort", close);
  }

  return {
    next() {
      if (!isOpen) return Promise.resolve(nothing);
      return new Promise((resolve) => {
        deliver = resolve;
        if (queue.hasFrames) arrived();
      });
    },
    close,
  };
}

function gatherMs(): number {
  return Math.min(longestGatherMs, Math.max(shortestGatherMs, openStreams / turnsPerMs));
}
