import type { Scalar } from "../json.ts";

export type FactType = "string" | "number" | "boolean";
/** What the platform says about one org. Never about a session or a person: a composition is shared by all agents of the org (E-7). */
export type Facts = Readonly<Record<string, Scalar>>;
/** Org settings that are declared as facts, with their types. */
export type DeclaredFacts = Readonly<Record<string, FactType>>;

/** The closed registry (E-6). A Map, so that inherited names are unknown like any other. */
const known: ReadonlyMap<string, FactType> = new Map<string, FactType>([
  ["platform.os", "string"],
  ["platform.privateHosts", "boolean"],
  ["platform.region", "string"],
  ["platform.release", "string"],
  ["plan.seats", "number"],
  ["plan.tier", "string"],
  ["profile.name", "string"],
]);

/** The type of a fact, or null when there is none of this name. `org.flag.<name>` is a boolean for any kebab-case name. */
export function factType(name: string, declared: DeclaredFacts = {}): FactType | null {
  if (/^org\.flag\.[a-z0-9][a-z0-9-]{0,63}$/.test(name)) return "boolean";
  return known.get(name) ?? (Object.hasOwn(declared, name) ? (declared[name] ?? null) : null);
}

export const factNames = (declared: DeclaredFacts = {}): string[] => [...known.keys(), "org.flag.<name>", ...Object.keys(declared)].sort();
