/** After a turn the streams wait twice as long as it took: with more to do they send more at once, not more often. */
const restShare = 2;
/** Beyond this larger turns save little, and a reader begins to see them. */
const longestRestMs = 20;

/** Asks for a call in the next turn, once however often it is asked for. */
export type TurnClock = (settle: () => void) => void;

/**
 * The turns in which all streams of a process send what they have. While there is room a turn follows the frame at once, so that nothing waits that is
 * ready; the longer turns take, because streams are many or the machine is busy, the more goes with each: a turn of one stream costs some 0.03 ms,
 * whatever is in it. Frames wait no longer than a turn and 20 ms.
 * @param now milliseconds
 */
export function createTurnClock(now = (): number => performance.now()): TurnClock {
  const waiting = new Set<() => void>();
  let isPlanned = false;
  let restUntil = Number.NEGATIVE_INFINITY;

  function plan(): void {
    isPlanned = true;
    const waitMs = restUntil - now();
    if (waitMs > 0) setTimeout(turn, waitMs);
    else queueMicrotask(turn); // not at once: the frames of one message belong to one turn
  }

  function turn(): void {
    const start = now();
    const settles = [...waiting];
    waiting.clear();
    // after the promises of the turn and what they write; asked for first, so that the clock of all streams outlives whatever fails in one
    setImmediate(() => {
      const end = now();
      restUntil = end + Math.min(longestRestMs, restShare * (end - start));
      isPlanned = false;
      if (waiting.size > 0) plan();
    });
    for (const settle of settles) settle();
  }

  return (settle) => {
    waiting.add(settle);
    if (!isPlanned) plan();
  };
}
