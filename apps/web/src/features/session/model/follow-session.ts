import type { StreamBatch } from "@gantry/contracts";
import { mergeBatches } from "./reducer.ts";

/** `lost`: was live, tries again by itself. `closed`: will not come back, for example since the session is gone. */
export type Connection = "connecting" | "live" | "lost" | "closed";

export type Subscribe = (
  /** `once`: what there is, and then the end */
  from: { readonly lastEventId: string | null; readonly once: boolean },
  on: { onBatch(batch: StreamBatch): void; onLive(): void; onLost(): void; onEnd(error: unknown): void },
) => () => void;

type Follow = {
  subscribe: Subscribe;
  /** the position of the last event that the client has, or null */
  lastEventId: () => string | null;
  isFinal: (error: unknown) => boolean;
  onBatch: (batch: StreamBatch) => void;
  onConnection: (connection: Connection, error?: unknown) => void;
};

const firstWaitMs = 500;
const longestWaitMs = 8_000;
/** A server says something at once. Where nothing came for so long, something on the way holds streams back: then it is asked again and again (CP-18). */
export const silentMs = 20_000;
const pollMs = 3_000;
/** Then a stream is tried again: the network may have been down, or another one by now. */
const pollsInARow = 20;
/** A hidden tab gets no animation frames. */
const hiddenFlushMs = 500;

/**
 * Follows a session until stopped: one batch per animation frame, and a new subscription from the last known event whenever the old
 * one ends. Asks every few seconds for what is new where no stream comes through. Returns the stop.
 */
export function followSession({ subscribe, lastEventId, isFinal, onBatch, onConnection }: Follow): () => void {
  let stopped = false;
  let waitMs = firstWaitMs;
  let unsubscribe = () => {};
  let retry: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let pollsLeft = 0;
  const frame = createFrameQueue(onBatch);

  const start = () => {
    const once = pollsLeft > 0;
    silence = setTimeout(() => {
      unsubscribe();
      pollsLeft = pollsInARow;
      onConnection("lost");
      start();
    }, silentMs);
    unsubscribe = subscribe(
      { lastEventId: lastEventId(), once },
      {
        onBatch: (batch) => {
          clearTimeout(silence);
          frame.push(batch);
        },
        onLive: () => {
          waitMs = firstWaitMs;
          onConnection("live");
        },
        onLost: () => onConnection("lost"),
        onEnd: (error) => {
          if (stopped) return;
          clearTimeout(silence);
          frame.flush();
          if (once && error === null) {
            pollsLeft -= 1;
            onConnection("live");
            retry = setTimeout(start, pollMs);
            return;
          }
          if (isFinal(error)) return onConnection("closed", error);
          onConnection("lost", error);
          retry = setTimeout(start, waitMs);
          waitMs = Math.min(longestWaitMs, waitMs * 2);
        },
      },
    );
  };
  const startNow = () => {
    if (retry === undefined) return;
    clearTimeout(retry);
    retry = undefined;
    pollsLeft = 0;
    start();
  };
  start();
  addEventListener("online", startNow);
  return () => {
    stopped = true;
    clearTimeout(retry);
    clearTimeout(silence);
    removeEventListener("online", startNow);
    unsubscribe();
    frame.stop();
  };
}

/** Collects batches and hands them over once per frame. */
function createFrameQueue(onBatch: (batch: StreamBatch) => void) {
  let waiting: StreamBatch[] = [];
  let cancel: (() => void) | null = null;
  const flush = () => {
    cancel?.();
    cancel = null;
    const batches = waiting;
    waiting = [];
    if (batches.length > 0) onBatch(mergeBatches(batches));
  };
  const schedule = () => {
    if (document.hidden) {
      const timer = setTimeout(flush, hiddenFlushMs);
      return () => clearTimeout(timer);
    }
    const id = requestAnimationFrame(flush);
    return () => cancelAnimationFrame(id);
  };
  return {
    flush,
    push(batch: StreamBatch) {
      waiting.push(batch);
      cancel ??= schedule();
    },
    stop: () => cancel?.(),
  };
}
