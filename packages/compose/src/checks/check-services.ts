import type { Catalog } from "../catalog/entry.ts";
import type { ComposedRow } from "../composition.ts";
import { type Issue, keyPath } from "../input/issue.ts";
import { findWaits, type Wait } from "../services/waits.ts";

/** Why rows would never start: a service that nothing provides, or a circle of rows that wait for each other (F-3). */
export function checkServices(rows: readonly ComposedRow[], catalog: Catalog, services: ReadonlySet<string>): Issue[] {
  return findWaits(rows, catalog, services).map((wait) => ({
    code: wait.loop.length > 0 ? "SERVICE_LOOP" : "SERVICE_MISSING",
    path: wait.path.reduce(keyPath, "$"),
    message: wait.loop.length > 0 ? loopMessage(wait) : missingMessage(wait),
  }));
}

function missingMessage({ id, services }: Wait): string {
  return `${id} would wait for ${services.join(", ")}, which nothing that mounts provides here. Add a row that does, or remove this one.`;
}

function loopMessage({ id, services, loop }: Wait): string {
  if (loop.length === 1) return `${id} would wait for ${services.join(", ")}, which it provides itself. Take that out of its inject.`;
  return `${loop.join(", ")} would wait for each other: ${id} needs ${services.join(", ")}. Take one of these needs away.`;
}
