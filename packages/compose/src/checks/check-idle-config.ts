import type { JsonObject } from "@gantry/contracts";
import type { Catalog } from "../catalog/entry.ts";
import type { ComposedRow } from "../composition.ts";
import type { Facts } from "../conditions/facts.ts";
import { resolveConfig } from "../conditions/resolve-config.ts";
import { type Issue, keyPath } from "../input/issue.ts";
import { placeRows } from "../services/realms.ts";
import { checkFinalConfig } from "./check-plugin.ts";

/** What the plugins of rows that are off refuse in their config. Asked when a preset is saved: a changed fact may switch such a row on later. */
export function checkIdleConfig(rows: readonly ComposedRow[], catalog: Catalog, facts: Facts): Issue[] {
  return [...placeRows(rows)].flatMap(({ row: { row, outcome, children }, path }) => {
    const entry = catalog.find(row.name);
    if (outcome.state !== "disabled" || children || !entry || entry.planned) return [];
    const config = resolveConfig((row.config ?? {}) as JsonObject, facts) as JsonObject;
    return checkFinalConfig(catalog, entry, config, path.reduce(keyPath, "$"));
  });
}
