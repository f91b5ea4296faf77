import type { LiveFrame } from "@gantry/contracts";
import { createLogger, type Redis } from "@gantry/platform";
import { type Address, addressKey, channels, decodeFrames, eachLine } from "./wire.ts";

export type Nudge = Address;
export type FeedSubscriber = {
  /**
   * Calls back with each frame of one session, in order, until the returned function is called. `onGap` says that frames may have been missed
   * (the connection came up or back): read the log from the last position seen. A callback must not throw or wait.
   */
  subscribe(orgId: string, sessionId: string, onFrame: (frame: LiveFrame) => void, onGap?: () => void): () => void;
  /** Calls back when a session got a command, until the returned function is called. Nudges may be lost. */
  onNudge(listener: (nudge: Nudge) => void): () => void;
  /** Settles when Redis has confirmed what was subscribed so far. */
  ready(): Promise<void>;
  /** False while frames may be missed. */
  isUp(): boolean;
};

type Watcher = { onFrame: (frame: LiveFrame) => void; onGap: () => void };

/** The receiving side of the feed over a pub/sub connection of its own; one a process, which shares one channel among all its watchers. */
export function createFeedSubscriber(redis: Redis): FeedSubscriber {
  const log = createLogger("feed");
  const from = channels();
  const watchers = new Map<string, Set<Watcher>>();
  const nudged = new Set<(nudge: Nudge) => void>();
  const joined = new Map<string, Promise<void>>();
  let up = false;

  const contained = (call: () => void): void => {
    try {
      call();
    } catch (err) {
      log.error({ err }, "a feed watcher failed");
    }
  };
  const announceGap = (): void => {
    for (const watcher of [...watchers.values()].flatMap((set) => [...set])) contained(watcher.onGap);
  };
  const join = (channel: string): void => {
    if (joined.has(channel)) return;
    const confirmed = redis.subscribe(channel).then(() => {
      if (channel !== from.frames) return;
      up = true;
      announceGap();
    });
    confirmed.catch((err: unknown) => {
      joined.delete(channel);
      log.warn({ err, channel }, "could not subscribe; the next watcher tries again");
    });
    joined.set(channel, confirmed);
  };

  redis.on("message", (channel: string, message: string) => {
    if (channel === from.frames) eachLine(message, deliver);
    else if (channel === from.nudges) deliverNudge(message);
  });
  redis.on("close", () => {
    up = false;
  });
  redis.on("ready", () => void rejoin());

  /** The client subscribes again by itself after a reconnect; asking once more tells when Redis has confirmed it. */
  async function rejoin(): Promise<void> {
    if (!joined.has(from.frames)) return;
    try {
      await redis.subscribe(from.frames);
      up = true;
      announceGap();
    } catch (err) {
      log.warn({ err }, "the feed is not back yet"); // the connection broke again: the next "ready" tries again
    }
  }

  function deliver(key: string, text: string): void {
    const set = watchers.get(key);
    if (!set) return;
    const frames = decodeFrames(text);
    for (const watcher of [...set]) {
      contained(() => {
        if (frames) for (const frame of frames) watcher.onFrame(frame);
        else watcher.onGap();
      });
    }
  }

  function deliverNudge(message: string): void {
    const [orgId, sessionId] = message.split("/");
    if (orgId && sessionId) for (const listener of [...nudged]) contained(() => listener({ orgId, sessionId }));
  }

  return {
    subscribe(orgId, sessionId, onFrame, onGap = () => {}) {
      const key = addressKey({ orgId, sessionId });
      const watcher = { onFrame, onGap };
      const set = watchers.get(key) ?? new Set();
      watchers.set(key, set.add(watcher));
      join(from.frames);
      return () => {
        set.delete(watcher);
        if (set.size === 0 && watchers.get(key) === set) watchers.delete(key);
      };
    },
    onNudge(listener) {
      nudged.add(listener);
      join(from.nudges);
      return () => void nudged.delete(listener);
    },
    async ready() {
      await Promise.all(joined.values());
    },
    isUp: () => up && redis.status === "ready",
  };
}
