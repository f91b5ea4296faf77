import type { LiveFrame } from "@gantry/contracts";
import type { FeedSubscriber } from "./subscriber.ts";

/** What arrived since the last turn: frames in order, or the word that some are missing and the log has to be read from the last position. */
export type SessionFrames = { readonly gap: boolean; readonly frames: readonly LiveFrame[] };

/** Bounds of what is kept for a reader that does not come back for more; beyond them it is told of a gap instead. */
const maxFrames = 2_000;
const maxChars = 1024 * 1024;

/**
 * The live frames of one session for a reader that takes its time (an event stream to a browser). Iterating waits for the next frames until `signal`
 * aborts, which ends it quietly. A reader that falls behind costs at most about a megabyte: then what waited is dropped and the next turn has `gap`.
 * Subscribed from the moment of the call, so read the log after it and go live without missing anything.
 */
export function sessionFrames(feed: FeedSubscriber, orgId: string, sessionId: string, signal: AbortSignal): AsyncIterable<SessionFrames> {
  let waiting: LiveFrame[] = [];
  let chars = 0;
  let gap = false;
  let wake: (() => void) | undefined;
  const drop = (): void => {
    waiting = [];
    chars = 0;
    gap = true;
    wake?.();
  };
  const stop = feed.subscribe(
    orgId,
    sessionId,
    (frame) => {
      chars += frame.kind === "delta" ? frame.run.text.length : eventChars(frame);
      waiting.push(frame);
      if (waiting.length > maxFrames || chars > maxChars) drop();
      else wake?.();
    },
    drop,
  );
  signal.addEventListener("abort", () => {
    stop();
    wake?.();
  });
  if (signal.aborted) stop();

  return {
    async *[Symbol.asyncIterator]() {
      while (!signal.aborted) {
        if (waiting.length > 0 || gap) {
          const turn = { gap, frames: waiting };
          waiting = [];
          chars = 0;
          gap = false;
          yield turn;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          wake = undefined;
        }
      }
    },
  };
}

/** A stored event can be large; a bound that counted frames only would not bound memory. */
function eventChars(frame: LiveFrame): number {
  return frame.kind === "event" ? JSON.stringify(frame.event.data).length : 0;
}
