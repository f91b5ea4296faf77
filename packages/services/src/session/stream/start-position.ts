/** How much of the log a stream starts with when the client has nothing yet; the rest is paged backwards. */
export const tailEvents = 200;

/**
 * Position of the first event a stream sends, for a log of `count` events. The id is what we sent with a batch: the position of the last
 * event, "-1" before the first. Anything else (text, a position the log does not have, another session's) gets the tail (CP-16).
 */
export function startPosition(lastEventId: string | null | undefined, count: number): number {
  const tail = Math.max(0, count - tailEvents);
  if (!lastEventId || !/^(?:-1|\d{1,10})$/.test(lastEventId)) return tail;
  const last = Number(lastEventId);
  return last < count ? last + 1 : tail;
}
