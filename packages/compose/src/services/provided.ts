import { catalogData } from "../catalog/index.ts";
import type { ComposedRow } from "../composition.ts";
import { hostCapabilities } from "./capabilities.ts";
import { placeRows } from "./realms.ts";

/** The services that a root of these rows has for the presets inside it: those of rows that mount, outside any realm, and what the worker gives. */
export function providedServices(rows: readonly ComposedRow[], catalog = catalogData): Set<string> {
  const services = new Set(hostCapabilities);
  for (const { row, realmOf } of placeRows(rows)) {
    if (row.outcome.state !== "mounts") continue;
    for (const service of catalog.find(row.row.name)?.provides ?? []) if (realmOf(service) === null) services.add(service);
  }
  return services;
}
