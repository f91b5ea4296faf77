import type { LiveFrame } from "@gantry/contracts";
import { loadEnv } from "@gantry/platform";

/** One channel for the frames of the whole installation, one for nudges: Redis then does one fan-out a message, whatever the sessions. */
export function channels(): { frames: string; nudges: string } {
  const prefix = loadEnv().REDIS_PREFIX;
  return { frames: `${prefix}:frames`, nudges: `${prefix}:nudges` };
}

export type Address = { readonly orgId: string; readonly sessionId: string };

/** The org is part of the address everywhere: a session's id alone opens nothing (SC-T6). */
export function addressKey({ orgId, sessionId }: Address): string {
  return `${orgId}/${sessionId}`;
}

/** A message is lines of `key TAB frames`; JSON has no raw line breaks, so a reader skips sessions it does not follow without parsing them. */
export function encodeLine(key: string, frames: readonly LiveFrame[]): string {
  return `${key}\t${JSON.stringify(frames)}\n`;
}

/** Calls back with the key and the unparsed frames of each line. */
export function eachLine(message: string, onLine: (key: string, frames: string) => void): void {
  for (let start = 0; start < message.length; ) {
    const end = message.indexOf("\n", start);
    if (end < 0) return;
    const tab = message.indexOf("\t", start);
    if (tab > start && tab < end) onLine(message.slice(start, tab), message.slice(tab + 1, end));
    start = end + 1;
  }
}

/**
 * Frames of one line. They come from our own worker, so they are not parsed against a schema token by token; a line that is no list of frames
 * gives null, and the reader catches up from Postgres.
 */
export function decodeFrames(text: string): LiveFrame[] | null {
  try {
    const frames: unknown = JSON.parse(text);
    return Array.isArray(frames) && frames.every(isFrame) ? frames : null;
  } catch {
    return null; // a cut message: the same as a missed one
  }
}

function isFrame(value: unknown): value is LiveFrame {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false;
  if (value.kind === "event") return "event" in value && typeof value.event === "object";
  if (value.kind === "delta") return "run" in value && typeof value.run === "object";
  return value.kind === "activity" && "activity" in value;
}
