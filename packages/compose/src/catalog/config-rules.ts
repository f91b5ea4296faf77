/** Longest delay that a timer takes, ms. */
export const maxTimerMs = 2_147_483_647;

/** Stands in a tool order for every tool that it does not list. */
export const restOfTools = "<unlisted-tools>";

export const repeated = <T>(list: readonly T[]): T[] => [...new Set(list.filter((item, index) => list.indexOf(item) !== index))];

/** Names once each, and the place of the rest (SYS-4). */
export function checkToolOrder(order: readonly string[]): string[] {
  const twice = repeated(order).map((name) => `toolOrder lists "${name}" twice`);
  return order.includes(restOfTools)
    ? twice
    : [...twice, `toolOrder needs the entry "${restOfTools}" once, for the tools that it does not list`];
}
