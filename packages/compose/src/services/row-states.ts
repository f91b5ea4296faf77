import type { Catalog } from "../catalog/entry.ts";
import { catalogData } from "../catalog/index.ts";
import type { Composition } from "../composition.ts";
import { keyPath } from "../input/issue.ts";
import { hostCapabilities } from "./capabilities.ts";
import { placeRows } from "./realms.ts";
import { findWaits } from "./waits.ts";

export type RowState = {
  /** what would become of it; `pending`: it would wait for services; `invalid`: the composition is refused because of it */
  readonly state: "mounts" | "disabled" | "planned" | "pending" | "invalid";
  /** service names (F-3) */
  readonly waitingFor: readonly string[];
  readonly reasons: readonly string[];
  /** refuses every layer from the org's on */
  readonly locked: boolean;
};

const waitCodes: ReadonlySet<string> = new Set(["SERVICE_MISSING", "SERVICE_LOOP"]);
const lackCodes: ReadonlySet<string> = new Set(["HOST_INCOMPLETE", "NO_AGENT_FACTORY"]);

/** What becomes of every row, by id, with its reasons; worked out from the catalogue, nothing is started. `services`: there before any row. */
export function rowStates(
  { rows, problems }: Pick<Composition, "rows" | "problems">,
  { catalog = catalogData, services = hostCapabilities }: { catalog?: Catalog; services?: ReadonlySet<string> } = {},
): Map<string, RowState> {
  const waits = new Map(findWaits(rows, catalog, services).map((wait) => [wait.id, wait]));
  return new Map(
    [...placeRows(rows)].map(({ row: { row, outcome, children }, path }) => {
      const at = path.reduce(keyPath, "$");
      const own = problems.filter(
        (problem) => problem.path === at || (!children && (problem.path.startsWith(`${at}.config`) || problem.path === `${at}.name`)),
      );
      const waitingFor = waits.get(row.id)?.services ?? [];
      // a row that is off is what the others lack, not wrong itself
      const isOff = outcome.state === "disabled";
      const invalid = own.some(({ code }) => !waitCodes.has(code) && !(isOff && lackCodes.has(code)));
      const state = invalid ? "invalid" : waitingFor.length > 0 ? "pending" : outcome.state;
      const locked = catalog.find(row.name)?.locked === true;
      return [row.id, { state, waitingFor, reasons: own.map(({ message }) => message), locked }];
    }),
  );
}
