import type { FeedSubscriber } from "@gantry/feed";
import type { SessionRef } from "./compose.ts";

/** How long a holder keeps an idle session, so that the next message finds it loaded, in milliseconds. */
const lingerMs = 30_000;

/** The nudges of one held session: a nudge that comes while nobody waits is remembered. */
export class Wakeups {
  /** set by a nudge; whoever looks for commands clears it first */
  isDue = false;
  private waiting: PromiseWithResolvers<void> | null = null;
  private readonly ended: AbortSignal;
  private readonly stopListening: () => void;

  constructor(subscriber: FeedSubscriber, ref: SessionRef, ended: AbortSignal) {
    this.ended = ended;
    this.stopListening = subscriber.onNudge((nudge) => {
      if (nudge.sessionId === ref.sessionId && nudge.orgId === ref.orgId) this.ring();
    });
    ended.addEventListener("abort", this.ring, { once: true });
  }

  /** Resolves at the next nudge, at once when one is due already, or when the hold ends. */
  async next(): Promise<void> {
    if (this.isDue) return;
    this.waiting ??= Promise.withResolvers<void>();
    await this.waiting.promise;
  }

  /** Waits while the session is idle; true when there is something to do again. */
  async lingers(): Promise<boolean> {
    const timer = setTimeout(this.release, lingerMs);
    await this.next();
    clearTimeout(timer);
    return this.isDue && !this.ended.aborted;
  }

  close(): void {
    this.stopListening();
    this.ended.removeEventListener("abort", this.ring);
    this.ring();
  }

  /** Wakes whoever waits; also for reasons other than a nudge. */
  readonly ring = (): void => {
    this.isDue = true;
    this.release();
  };
  private readonly release = (): void => {
    this.waiting?.resolve();
    this.waiting = null;
  };
}
