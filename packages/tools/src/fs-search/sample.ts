/** Paths chosen for display. `entries` counts the groups there are, `sampled` those with at least one path shown. */
export type Sample = { paths: string[]; entries: number; sampled: number };

/**
 * Spreads `max` slots over groups in turn: every group gets one before any gets a second. Order of groups and order inside a group
 * follow the list; the output stays grouped.
 */
export function sampleAcross(paths: readonly string[], groupOf: (path: string) => string, max: number): Sample {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const key = groupOf(path);
    const group = groups.get(key);
    if (group) group.push(path);
    else groups.set(key, [path]);
  }
  const lists = [...groups.values()];
  const taken = lists.map(() => 0);
  let left = Math.min(max, paths.length);
  for (let round = 0; left > 0; round++) {
    for (const [index, list] of lists.entries()) {
      if (left === 0 || list.length <= round) continue;
      taken[index] = round + 1;
      left--;
    }
  }
  const shown = lists.flatMap((list, index) => list.slice(0, taken[index]));
  return { paths: shown, entries: lists.length, sampled: taken.filter((count) => count > 0).length };
}
