import type { Catalog } from "../catalog/entry.ts";
import type { ComposedRow } from "../composition.ts";
import { type Issue, keyPath } from "../input/issue.ts";
import { placeRows } from "../services/realms.ts";
import { findWaits, type Wait } from "../services/waits.ts";

/** Why rows would never start: a service that nothing provides where they stand, or a circle of rows that wait for each other (F-3). */
export function checkServices(rows: readonly ComposedRow[], catalog: Catalog, services: ReadonlySet<string>): Issue[] {
  const waits = findWaits(rows, catalog, services);
  const hints = waits.length > 0 ? hintsOf(rows, catalog) : new Map<string, string[]>();
  return waits.map((wait) => ({
    code: wait.loop.length > 0 ? "SERVICE_LOOP" : "SERVICE_MISSING",
    path: wait.path.reduce(keyPath, "$"),
    message: wait.loop.length > 0 ? loopMessage(wait) : missingMessage(wait, hints),
  }));
}

/** Services that a message names, and rows that it names for each; a hostile layer has hundreds. */
const maxNamed = 5;

function missingMessage({ id, services }: Wait, hints: ReadonlyMap<string, readonly string[]>): string {
  const near = services.flatMap((service) => hints.get(service) ?? []).slice(0, maxNamed);
  const hint = near.length > 0 ? ` ${near.join("; ")}.` : "";
  return `${id} would wait for ${named(services)}, which nothing that starts provides here.${hint} Add a row that does, or remove this one.`;
}

/** Who would provide a service if something did not stand in the way, by service. */
function hintsOf(rows: readonly ComposedRow[], catalog: Catalog): Map<string, string[]> {
  const hints = new Map<string, string[]>();
  for (const { row } of placeRows(rows)) {
    for (const service of catalog.find(row.row.name)?.provides ?? []) {
      const known = hints.get(service) ?? [];
      if (known.length < maxNamed) hints.set(service, [...known, `${row.row.id} provides ${service}, but ${reasons[row.outcome.state]}`]);
    }
  }
  return hints;
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
