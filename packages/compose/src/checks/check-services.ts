import type { Catalog } from "../catalog/entry.ts";
import type { ComposedRow } from "../composition.ts";
import { type Issue, keyPath } from "../input/issue.ts";
import { placeRows } from "../services/realms.ts";
import { findWaits, type Wait } from "../services/waits.ts";

/** Why rows would never start: a service that nothing provides where they stand, or a circle of rows that wait for each other (F-3). */
export function checkServices(rows: readonly ComposedRow[], catalog: Catalog, services: ReadonlySet<string>): Issue[] {
  return findWaits(rows, catalog, services).map((wait) => ({
    code: wait.loop.length > 0 ? "SERVICE_LOOP" : "SERVICE_MISSING",
    path: wait.path.reduce(keyPath, "$"),
    message: wait.loop.length > 0 ? loopMessage(wait) : missingMessage(wait, rows, catalog),
  }));
}

function missingMessage({ id, services }: Wait, rows: readonly ComposedRow[], catalog: Catalog): string {
  const near = [...placeRows(rows)].flatMap(({ row: { row, outcome } }) => {
    const found = (catalog.find(row.name)?.provides ?? []).filter((service) => services.includes(service));
    return found.map((service) => `${row.id} provides ${service}, but ${reasons[outcome.state]}`);
  });
  const hint = near.length > 0 ? ` ${near.join("; ")}.` : "";
  return `${id} would wait for ${services.join(", ")}, which nothing that starts provides here.${hint} Add a row that does, or remove this one.`;
}

const reasons: { readonly [S in ComposedRow["outcome"]["state"]]: string } = {
  disabled: "it is disabled",
  planned: "this release has no code for it",
  mounts: "it waits itself or keeps it in a realm of its own",
};

function loopMessage({ id, services, loop }: Wait): string {
  if (loop.length === 1) return `${id} would wait for ${services.join(", ")}, which it provides itself. Take that out of its inject.`;
  return `${loop.join(", ")} would wait for each other: ${id} needs ${services.join(", ")}. Take one of these needs away.`;
}
