import { AppError } from "@gantry/contracts";

/** A download that nobody ended, such as one of a process that lost its reader, gives its place up after this, in milliseconds. */
const longestMs = 30 * 60_000;
const taken = new Map<string, number>();

/** One download of a session at a time for each person and web process (EXP-1); answers with what ends it. @throws CONFLICT */
export function takeExportSlot(key: string): () => void {
  const since = taken.get(key);
  if (since !== undefined && performance.now() - since < longestMs)
    throw new AppError("CONFLICT", "This session is being exported already. Wait until that download has ended.");
  const now = performance.now();
  taken.set(key, now);
  return () => {
    if (taken.get(key) === now) taken.delete(key);
  };
}
