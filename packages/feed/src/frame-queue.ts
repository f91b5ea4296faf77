import type { LiveFrame } from "@gantry/contracts";
import type { FeedSubscriber } from "./subscriber.ts";

/** What arrived: frames in order, or the word that some are missing and the log has to be read from the last position. */
export type WaitingFrames = { readonly gap: boolean; readonly frames: readonly LiveFrame[] };
export type FrameQueue = {
  /** Whether there is something to take. */
  readonly hasFrames: boolean;
  /** What arrived since the last time; null when nothing did. */
  take(): WaitingFrames | null;
  /** Nothing arrives any more. */
  close(): void;
};

/** Bounds of what is kept for a reader that does not come back for more; beyond them it is told of a gap instead. */
const maxFrames = 2_000;
const maxChars = 1024 * 1024;

/**
 * The live frames of one session for a reader that takes its time (an event stream to a browser). `onArrival` is called for each frame and for a gap; it
 * must not throw or wait. A reader that falls behind costs at most about a megabyte: then what waited is dropped and it is told of a `gap`.
 * Subscribed from the moment of the call, so read the log after it and go live without missing anything.
 */
export function openFrameQueue(feed: FeedSubscriber, orgId: string, sessionId: string, onArrival: () => void): FrameQueue {
  let frames: LiveFrame[] = [];
  let chars = 0;
  let gap = false;
  const drop = (): void => {
    frames = [];
    chars = 0;
    gap = true;
    onArrival();
  };
  const add = (frame: LiveFrame): void => {
    chars += frame.kind === "delta" ? frame.run.text.length : eventChars(frame);
    frames.push(frame);
    if (frames.length > maxFrames || chars > maxChars) drop();
    else onArrival();
  };
  const close = feed.subscribe(orgId, sessionId, add, drop);
  return {
    close,
    get hasFrames() {
      return gap || frames.length > 0;
    },
    take() {
      if (frames.length === 0 && !gap) return null;
      const waiting = { gap, frames };
      frames = [];
      chars = 0;
      gap = false;
      return waiting;
    },
  };
}

/** A stored event can be large; a bound that counted frames only would not bound memory. */
function eventChars(frame: LiveFrame): number {
  return frame.kind === "event" ? JSON.stringify(frame.event.data).length : 0;
}
