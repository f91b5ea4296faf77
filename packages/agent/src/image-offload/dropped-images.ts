/**
 * How many of the oldest give way. It is decided as if the list had grown item by item: when the sum passes the budget, the oldest go until the rest is at
 * most budget minus quantum. So the answer depends on the list alone, and stays the same until the budget is passed again: what a provider has cached of
 * earlier requests stays valid (EX-180).
 */
export function droppedImages(sizes: readonly number[], { budget, quantum }: { budget: number; quantum: number }): number {
  const target = Math.max(0, budget - quantum);
  let dropped = 0;
  let sum = 0;
  for (const size of sizes) {
    sum += size;
    if (sum <= budget) continue;
    for (; sum > target; dropped++) sum -= sizes[dropped] ?? sum;
  }
  return dropped;
}
