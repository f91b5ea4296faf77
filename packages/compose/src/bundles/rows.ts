import type { Patch } from "../rows/row.ts";

/** A patch that inserts rows named like their plugins. */
export const rowsNamed = (...names: readonly string[]): Patch => ({ insert: names.map((name) => ({ id: name, name })) });
