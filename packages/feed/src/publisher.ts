import type { DeltaFrame, LiveFrame } from "@gantry/contracts";
import { createLogger, type Redis } from "@gantry/platform";
import { type Address, addressKey, channels, encodeLine } from "./wire.ts";

export type FeedPublisher = {
  /** Hands a frame to whoever watches the session, in order, soon. It may be lost while Redis is away; the log in Postgres is what counts. */
  publish(orgId: string, sessionId: string, frame: LiveFrame): void;
  /** Tells the holder of a session's lease that a command waits. @throws when Redis does not take it within about two seconds */
  publishNudge(address: Address): Promise<void>;
  /** Sends what is pending and waits until Redis has taken everything or refused it. */
  flush(): Promise<void>;
};

/** At most one PUBLISH of tokens a process in this time, for all its sessions: half the CPU of one PUBLISH a token, and the same delay (performance.md 12, 14). */
const turnMs = 5;
/** A larger message would hold up everything behind it. */
const maxMessageChars = 512 * 1024;
const quietMs = 10_000;

/** A publisher of live frames over a producer's connection; one a process. */
export function createFeedPublisher(redis: Redis): FeedPublisher {
  const log = createLogger("feed");
  const to = channels();
  let pending = new Map<string, LiveFrame[]>();
  let lastSent = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let atOnce: NodeJS.Immediate | undefined;
  let sending: Promise<void> = Promise.resolve();
  let quietUntil = 0;

  const report = (err: unknown): void => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + quietMs;
    log.warn({ err }, "live frames were lost; watchers catch up from the log");
  };

  const send = (): void => {
    clearTimeout(timer);
    clearImmediate(atOnce);
    timer = atOnce = undefined;
    if (pending.size === 0) return;
    const messages = pack(pending);
    pending = new Map();
    lastSent = performance.now();
    // sent at once and not one after the other: a connection keeps their order
    const results = Promise.all(messages.map((message) => redis.publish(to.frames, message))).then(() => {}, report);
    sending = Promise.all([sending, results]).then(() => {});
  };

  return {
    publish(orgId, sessionId, frame) {
      const key = addressKey({ orgId, sessionId });
      const frames = pending.get(key);
      if (frames) addFrame(frames, frame);
      else pending.set(key, [frame]);
      // a stored event is rare beside tokens and somebody waits for it: it ends the turn, with all that was committed beside it
      if (frame.kind === "event") atOnce ??= setImmediate(send);
      else timer ??= setTimeout(send, Math.max(0, lastSent + turnMs - performance.now()));
    },
    async publishNudge(address) {
      await redis.publish(to.nudges, addressKey(address));
    },
    async flush() {
      send();
      await sending;
    },
  };
}

/** Appends a frame, or lengthens the last one when it is the next piece of the same block: one frame a turn instead of one a token. */
function addFrame(frames: LiveFrame[], frame: LiveFrame): void {
  const last = frames.at(-1);
  if (last?.kind === "delta" && frame.kind === "delta" && continues(last, frame))
    frames[frames.length - 1] = { ...last, run: { ...last.run, text: last.run.text + frame.run.text } };
  else frames.push(frame);
}

function continues(last: DeltaFrame, next: DeltaFrame): boolean {
  const sameBlock = last.messageId === next.messageId && last.epoch === next.epoch && last.run.index === next.run.index;
  return sameBlock && last.run.block === next.run.block && last.run.offset + last.run.text.length === next.run.offset;
}

function pack(pending: Map<string, LiveFrame[]>): string[] {
  const messages: string[] = [];
  let message = "";
  for (const [key, frames] of pending) {
    const line = encodeLine(key, frames);
    if (message !== "" && message.length + line.length > maxMessageChars) {
      messages.push(message);
      message = "";
    }
    message += line;
  }
  return [...messages, message];
}
