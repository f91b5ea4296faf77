import { createHash } from "node:crypto";

/** What every provider takes for the name and the id of a call. */
export const maxWordChars = 64;

/**
 * A name or an id of a call as any provider takes it back: itself where it fits, else what can be kept of it and a digest, so that two never become one.
 * A model that names a tool of its own making is refused otherwise, and the session with it, each time it is asked again.
 */
export function safeWord(text: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return `${text.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, maxWordChars - 17)}_${digest}`;
}
