import type { Catalog } from "../catalog/entry.ts";
import type { ComposedRow } from "../composition.ts";
import { type Issue, keyPath } from "../input/issue.ts";
import { type PlacedRow, placeRows } from "../services/realms.ts";
import { findWaits, type Wait } from "../services/waits.ts";

/** Why rows would never start: a service that nothing provides where they stand, or a circle of rows that wait for each other (F-3). */
export function checkServices(rows: readonly ComposedRow[], catalog: Catalog, { services, around = [] }: Surroundings): Issue[] {
  const waits = findWaits(rows, catalog, services);
  if (waits.length === 0) return [];
  const [near, outer] = [nearBy(rows, catalog), nearBy(around, catalog)];
  return waits.map((wait): Issue => {
    const path = wait.path.reduce(keyPath, "$");
    if (wait.loop.length > 0) return { code: "SERVICE_LOOP", path, message: loopMessage(wait) };
    const off = wait.services.flatMap(
      (service) => [...(near.get(service) ?? []), ...(outer.get(service) ?? [])].find(({ offBy }) => offBy) ?? [],
    );
    const cause = off.flatMap(({ offBy }) => (offBy ? [keyPath(offBy.path.reduce(keyPath, "$"), "disabled")] : [])).at(0);
    const message = switchedOffMessage(wait, near, outer) ?? missingMessage(wait, near);
    return { code: "SERVICE_MISSING", path, message, ...(cause === undefined ? {} : { cause }) };
  });
}

type Surroundings = {
  /** there from the start, in the realm outside */
  readonly services: ReadonlySet<string>;
  /** the rows of the root around a preset */
  readonly around?: readonly ComposedRow[] | undefined;
};
type Near = ReadonlyMap<string, readonly PlacedRow[]>;

/** Services that a message names, and rows that it names for each; a hostile layer has hundreds. */
const maxNamed = 5;

function missingMessage({ id, services }: Wait, providers: Near): string {
  const hints = services.flatMap((service) => (providers.get(service) ?? []).map((placed) => hintOf(service, placed))).slice(0, maxNamed);
  const hint = hints.length > 0 ? ` ${hints.join("; ")}.` : "";
  return `${id} would wait for ${named(services)}, which nothing that starts provides here.${hint} Add a row that does, or remove this one.`;
}

/** Where the root around a preset would have all that is missing, were its rows on; null where that is not the reason. */
function switchedOffMessage({ id, services }: Wait, near: Near, outer: Near): string | null {
  const rows = services.map((service) => (near.has(service) ? undefined : outer.get(service)?.find(({ offBy }) => offBy)));
  const off = rows.flatMap((placed) => (placed?.offBy ? [`${placed.row.row.id} (off by ${placed.offBy.layer})`] : []));
  if (off.length < rows.length) return null;
  const which = named([...new Set(off)]);
  return `${id} needs ${named(services)}, which this organisation has switched off: ${which}. Switch that row on again, or remove ${id}.`;
}

/** Rows that would provide a service if something did not stand in the way, by service. */
function nearBy(rows: readonly ComposedRow[], catalog: Catalog): Near {
  const found = new Map<string, PlacedRow[]>();
  for (const placed of placeRows(rows)) {
    for (const service of catalog.find(placed.row.row.name)?.provides ?? []) {
      const known = found.get(service) ?? [];
      if (known.length < maxNamed) found.set(service, [...known, placed]);
    }
  }
  return found;
}

function hintOf(service: string, { row, offBy }: PlacedRow): string {
  const by = offBy && row.outcome.state === "disabled" ? ` by ${offBy.layer}` : "";
  return `${row.row.id} provides ${service}, but ${reasons[row.outcome.state]}${by}`;
}

const named = (names: readonly string[]): string =>
  names.length > maxNamed ? `${names.slice(0, maxNamed).join(", ")} and ${names.length - maxNamed} more` : names.join(", ");

const reasons: { readonly [S in ComposedRow["outcome"]["state"]]: string } = {
  disabled: "it is disabled",
  planned: "this release has no code for it",
  mounts: "it waits itself or keeps it in a realm of its own",
};

function loopMessage({ id, services, loop }: Wait): string {
  if (loop.length === 1) return `${id} would wait for ${named(services)}, which it provides itself. Take that out of its inject.`;
  return `${named(loop)} would wait for each other: ${id} needs ${named(services)}. Take one of these needs away.`;
}
