import type { Catalog } from "../catalog/entry.ts";
import type { ComposedRow } from "../composition.ts";
import { type PlacedRow, placeRows } from "./realms.ts";

/** A row that would stay pending: the services it waits for, and the rows of the circle when it waits for one that waits for it. */
export type Wait = {
  readonly id: string;
  readonly path: readonly string[];
  readonly services: readonly string[];
  readonly loop: readonly string[];
};

/**
 * Which rows would never start, worked out from what the catalogue says each needs and provides, without starting anything (F-3). `services` are there from
 * the start, in the realm outside. Rows start in any order, so this runs until nothing more can.
 */
export function findWaits(rows: readonly ComposedRow[], catalog: Catalog, services: ReadonlySet<string>): Wait[] {
  const there = new Set([...services].map((service) => keyOf(null, service)));
  let waiting = [...placeRows(rows)].filter(({ row }) => row.outcome.state === "mounts");
  for (let before = -1; before !== waiting.length; ) {
    before = waiting.length;
    waiting = waiting.filter((placed) => {
      if (missing(placed, catalog, there).length > 0) return true;
      for (const service of provided(placed, catalog)) there.add(keyOf(placed.realmOf(service), service));
      return false;
    });
  }
  const holders = new Map(
    waiting.flatMap((placed) => provided(placed, catalog).map((service) => [keyOf(placed.realmOf(service), service), placed] as const)),
  );
  return waiting
    .filter(({ row }) => row.children === undefined)
    .map((placed) => ({
      id: placed.row.row.id,
      path: placed.path,
      services: missing(placed, catalog, there),
      loop: loopOf(placed, (from) =>
        missing(from, catalog, there).flatMap((service) => holders.get(keyOf(from.realmOf(service), service)) ?? []),
      ),
    }));
}

const keyOf = (realm: string | null, service: string) => JSON.stringify([realm, service]);

const provided = ({ row }: PlacedRow, catalog: Catalog): readonly string[] => catalog.find(row.row.name)?.provides ?? [];

function missing(placed: PlacedRow, catalog: Catalog, there: ReadonlySet<string>): string[] {
  const needs = new Set([...(catalog.find(placed.row.row.name)?.requires ?? []), ...placed.inject]);
  return [...needs].filter((service) => !there.has(keyOf(placed.realmOf(service), service)));
}

/** The shortest way from a row back to itself through the rows it waits for; empty when there is none. */
function loopOf(start: PlacedRow, next: (from: PlacedRow) => readonly PlacedRow[]): string[] {
  const queue: { placed: PlacedRow; way: string[] }[] = [{ placed: start, way: [start.row.row.id] }];
  const seen = new Set<PlacedRow>();
  for (let at = queue.shift(); at; at = queue.shift()) {
    for (const placed of next(at.placed)) {
      if (placed === start) return at.way;
      if (seen.has(placed)) continue;
      seen.add(placed);
      queue.push({ placed, way: [...at.way, placed.row.row.id] });
    }
  }
  return [];
}
