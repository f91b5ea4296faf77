/** Waits for promises or for the signal, whichever is first, with one listener for a whole stream. Call `stop` when done. */
export function abortRace(signal: AbortSignal): { run<T>(work: Promise<T>): Promise<T | "aborted">; stop(): void } {
  let abort = (): void => undefined;
  const aborted = new Promise<"aborted">((resolve) => {
    abort = () => resolve("aborted");
  });
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return {
    run: (work) => {
      // after an abort nobody reads the loser; its rejection is not news
      work.catch(() => undefined);
      return Promise.race([work, aborted]);
    },
    stop: () => signal.removeEventListener("abort", abort),
  };
}
