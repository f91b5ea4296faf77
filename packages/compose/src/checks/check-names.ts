import type { Catalog } from "../catalog/entry.ts";
import { type Issue, keyPath } from "../input/issue.ts";
import type { Row } from "../rows/row.ts";
import { hostCapabilities } from "../services/capabilities.ts";

/** Services that some plugin of the catalogue provides or asks for, and those of the worker. */
export function knownServices({ entries }: Catalog): ReadonlySet<string> {
  return new Set([...hostCapabilities, ...entries.flatMap(({ provides, requires }) => [...provides, ...requires])]);
}

/** Names that one message repeats; a hostile row has hundreds. */
const maxNamed = 5;

/** Names in a row's `isolate` and `inject` that are no service, so that the row would isolate nothing or wait for ever: most are misspelt. */
export function checkNames({ isolate = {}, inject = [] }: Row, path: string, known: ReadonlySet<string>): Issue[] {
  const issueOf = (field: "isolate" | "inject", names: readonly string[]): Issue[] => {
    const unknown = names.filter((name) => !known.has(name)).slice(0, maxNamed);
    if (unknown.length === 0) return [];
    const meant = unknown.flatMap((name) => [...known].find((one) => one.toLowerCase() === name.toLowerCase()) ?? []);
    const hint = meant.length > 0 ? `Did you mean ${meant.join(", ")}?` : "Correct the name, or take it out.";
    return [{ code: "SERVICE_UNKNOWN", path: keyPath(path, field), message: `No plugin has a service ${unknown.join(", ")}. ${hint}` }];
  };
  return [...issueOf("isolate", Object.keys(isolate)), ...issueOf("inject", inject)];
}
