/**
 * Milliseconds of the fastest run of `work`. It runs again until one run is under `enoughMs`: on a busy machine some runs
 * have to wait, and never all of so many, while work that takes too long by itself is under it in none.
 */
export function fastestOf(
  work: () => void,
  { enoughMs = 0, runs = enoughMs > 0 ? 50 : 5 }: { enoughMs?: number; runs?: number } = {},
): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs && fastest >= enoughMs; run += 1) {
    const started = performance.now();
    work();
    fastest = Math.min(fastest, performance.now() - started);
  }
  return fastest;
}
