import type { ToolSchema } from "@gantry/contracts";

/** Stands for every tool that an order does not list. */
export const unlistedTools = "<unlisted-tools>";

/** @throws Error for an order without the rest entry, with two of them, or with a repeated name (SYS-4) */
export function checkToolOrder(order: readonly string[]): void {
  const repeated = order.find((name, index) => order.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`toolOrder lists "${repeated}" twice`);
  if (!order.includes(unlistedTools)) throw new Error(`toolOrder must contain "${unlistedTools}" once`);
}

/**
 * Tools in the configured order, the unlisted ones by code units of their names; so the same set always gives the same bytes (T-9).
 * A listed tool that this scope hides is absent. @throws Error for a listed name that nobody provides
 */
export function orderTools(schemas: readonly ToolSchema[], known: ReadonlySet<string>, order: readonly string[]): ToolSchema[] {
  const unknown = order.find((name) => name !== unlistedTools && !known.has(name));
  if (unknown !== undefined) throw new Error(`toolOrder lists "${unknown}", which no plugin provides`);
  const rest = schemas.filter(({ name }) => !order.includes(name)).sort((a, b) => byCodeUnits(a.name, b.name));
  return order.flatMap((name) => (name === unlistedTools ? rest : schemas.filter((schema) => schema.name === name)));
}

export function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
