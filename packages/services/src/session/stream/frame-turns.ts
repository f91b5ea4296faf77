import type { OrgId, SessionId } from "@gantry/contracts";
import { type FeedSubscriber, openFrameQueue, type WaitingFrames } from "@gantry/feed";
import { createTurnClock } from "./turn-clock.ts";

/** A turn without frames comes so often, for a reader that has other things to look after. */
const idleMs = 500;
const nothing: WaitingFrames = { gap: false, frames: [] };
const atNextTurn = createTurnClock();

export type FrameTurns = {
  /** What arrived since the last turn; waits for it up to half a second, then answers with nothing. Ends at once when the signal aborts. */
  next(): Promise<WaitingFrames>;
  close(): void;
};

/**
 * The live frames of a session in the turns of this process' clock; subscribed from the moment of the call. One promise a turn and no timer: with a
 * token a turn everything else showed in the profile of the web process.
 */
export function openFrameTurns(feed: FeedSubscriber, orgId: OrgId, sessionId: SessionId, signal: AbortSignal): FrameTurns {
  let deliver: ((turn: WaitingFrames) => void) | null = null;
  let isOpen = true;
  const queue = openFrameQueue(feed, orgId, sessionId, () => deliver && atNextTurn(settle));
  const idle = setInterval(settle, idleMs);
  signal.addEventListener("abort", close, { once: true });
  if (signal.aborted) close();

  function settle(): void {
    const waiting = deliver;
    if (!waiting) return;
    deliver = null;
    idle.refresh();
    waiting((isOpen && queue.take()) || nothing);
  }

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
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
        if (queue.hasFrames) atNextTurn(settle);
      });
    },
    close,
  };
}
