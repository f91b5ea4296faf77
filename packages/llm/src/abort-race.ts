/**
 * Waits for promises or for the signal, whichever is first, with one listener for a whole stream. One wait at a time; call `stop` when done.
 * `Promise.race` with one promise for the abort would keep something of every chunk until the stream ends.
 */
export function abortRace(signal: AbortSignal): { run<T>(work: Promise<T>): Promise<T | "aborted">; stop(): void } {
  let end: ((word: "aborted") => void) | undefined;
  const abort = (): void => end?.("aborted");
  signal.addEventListener("abort", abort, { once: true });
  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        end = resolve;
        // after an abort nobody reads the loser; its rejection is not news
        work.then(resolve, reject);
        if (signal.aborted) resolve("aborted");
      }),
    stop: () => signal.removeEventListener("abort", abort),
  };
}
