import { catalogData } from "../catalog/index.ts";

/** Switched by text only: it must not undo itself (N-12). */
const managerItself = "plugin-manager";

/**
 * Rows that nobody switches off with one click: those that the catalogue calls mandatory and the loop, because without one of them no session starts, or nobody is
 * asked. A written layer meets the same rule (`applyLayers`), only that it may replace the loop in one go. And the manager that agents use. The ids
 * are those that the bundles give. What a session only works with (files, commands, titles, retries) is not among them: changing those is what the manager is for.
 */
export const managementRows: ReadonlySet<string> = new Set([
  ...catalogData.entries.flatMap(({ name, mandatory, fills }) => (mandatory || fills ? [name] : [])),
  managerItself,
]);

/** Whether switching the row on is refused like switching it off. */
export const isBothWays = (id: string): boolean => id === managerItself;
