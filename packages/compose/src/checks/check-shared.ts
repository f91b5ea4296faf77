import type { Catalog } from "../catalog/entry.ts";
import type { ComposedRow } from "../composition.ts";
import { type Issue, keyPath } from "../input/issue.ts";
import { type PlacedRow, placeRows } from "../services/realms.ts";

/**
 * Rows that cannot start beside an earlier one: a realm has one provider of a service (K-19, S-6), and a plugin whose rows would add the same tools, sections or
 * listeners has one row. `services` are there before any row, in the realm outside. Rows without effect (off, planned, groups) count for nothing.
 */
export function checkShared(rows: readonly ComposedRow[], catalog: Catalog, services: ReadonlySet<string>): Issue[] {
  const providers = new Map<string, PlacedRow>();
  const plugins = new Map<string, PlacedRow>();
  return [...placeRows(rows)].flatMap((placed): Issue[] => {
    const { row, outcome } = placed.row;
    const entry = catalog.find(row.name);
    if (!entry || outcome.state !== "mounts") return [];
    const taken = entry.provides.flatMap((service): Issue[] => {
      const realm = placed.realmOf(service);
      const key = JSON.stringify([realm, service]);
      const holder = providers.get(key);
      if (!holder && !(realm === null && services.has(service))) {
        providers.set(key, placed);
        return [];
      }
      return [{ code: "SERVICE_TAKEN", path: pathOf(placed), message: takenMessage(row.id, service, holder?.row.row.id) }];
    });
    const twin = plugins.get(row.name);
    if (!twin) plugins.set(row.name, placed);
    // a loop has its own message, and so has a provider
    if (!twin || entry.many || entry.fills || taken.length > 0) return taken;
    const message = `${twin.row.row.id} and ${row.id} are both ${row.name}, which stands once: what the two add would collide. Remove one of them, or switch it off.`;
    return [{ code: "PLUGIN_TWICE", path: pathOf(placed), message }];
  });
}

const pathOf = ({ path }: PlacedRow): string => path.reduce(keyPath, "$");

function takenMessage(id: string, service: string, holder: string | undefined): string {
  if (holder === undefined)
    return `${id} provides ${service}, which is the platform's to provide. Remove the row, or isolate ${service} in it.`;
  return `${holder} and ${id} both provide ${service}, and one place takes one. Switch one of the two rows off, or isolate ${service} in one of them.`;
}
