/** After a turn the process does other things for so many times as long as it took: streams take a third of a full processor, and get larger turns then. */
const restShare = 2;
const longestRestMs = 50;

/** Asks for a call in the next turn, once however often it is asked for. */
export type TurnClock = (settle: () => void) => void;

/**
 * The turns in which all streams of a process send what they have. While there is room a turn follows the frame at once, so that nothing waits that is
 * ready; the longer turns take, because streams are many or the machine is busy, the more goes with each: a turn of one stream costs some 0.03 ms,
 * whatever is in it. Frames wait no longer than a turn and 50 ms.
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
    for (const settle of settles) settle();
    // after the promises of the turn, and what they write
    setImmediate(() => {
      const end = now();
      restUntil = end + Math.min(longestRestMs, restShare * (end - start));
      isPlanned = false;
      if (waiting.size > 0) plan();
    });
  }

  return (settle) => {
    waiting.add(settle);
    if (!isPlanned) plan();
  };
}
