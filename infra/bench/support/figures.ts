/** Value at a share (0 to 1) of the sorted samples; NaN without samples. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

/** "p50 1.20 p99 3.40 ms, n=100" */
export function show(samples: readonly number[]): string {
  return `p50 ${digits(median(samples))} p99 ${digits(quantile(samples, 0.99))} ms, n=${samples.length}`;
}

export const digits = (value: number): string => value.toFixed(value < 10 ? 2 : 1);

/** Prints the two sides of a row and a line for the table of docs/performance.md. */
export function printRow(name: string, ours: readonly number[], limit: readonly number[]): void {
  const ratio = digits(median(ours) / median(limit));
  console.log(`${name}\n  ours   ${show(ours)}\n  limit  ${show(limit)}\n  ratio of p50 ${ratio}`);
  const sides = [ours, limit].map((side) => `${digits(median(side))} / ${digits(quantile(side, 0.99))} ms`);
  printLine([name, ...sides, ratio, `n = ${ours.length}`]);
}

export function printLine(cells: readonly string[]): void {
  console.log(`| ${cells.join(" | ")} |`);
}
