import type { JsonObject } from "@gantry/contracts";
import { z } from "zod";
import type { Condition } from "../conditions/vocabulary.ts";
import { hashOf } from "../json.ts";
import { type ConfigFault, configFaults, correct } from "./config-faults.ts";

export type Plane = "host" | "preset";
export type Slot = "agentFactory";

/** Bounds of one config field, whatever a layer asks for; `field` is a dotted path. */
export type Limit = {
  readonly field: string;
  readonly min?: number;
  readonly max?: number;
  /** the values that may stand; any other becomes the first */
  readonly allowed?: readonly (string | number | boolean)[];
  /** when the bound holds; left out: always */
  readonly when?: Condition;
};

/** What is known of a plugin without loading it. */
export type CatalogEntry = {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** one line for people: what a row of it gives */
  readonly description: string;
  /** services */
  readonly provides: readonly string[];
  readonly requires: readonly string[];
  /** JSON Schema of `config` */
  readonly config: JsonObject;
  readonly planes: readonly Plane[];
  readonly trust: "platform" | "remote";
  /** rules on a whole config that JSON Schema cannot say; asked with defaults put in, answers with one text for each that is broken */
  check?(config: JsonObject): string[];
  /** refuses every layer but the platform's, so that no org removes what guards it (T-24) */
  readonly locked?: true;
  /** a row of it that the platform ships stays on and outside realms, whatever the org's layers say; they may write its config */
  readonly mandatory?: true;
  /** the slot that it fills: every root has exactly one row that does */
  readonly fills?: Slot;
  /** several rows of it may stand in one composition */
  readonly many?: true;
  readonly limits?: readonly Limit[];
  /** dotted paths of config fields that hold a secret, so only `{"$secret": name}` */
  readonly secrets?: readonly string[];
  /** which plans may have it; left out: all */
  readonly entitled?: Condition;
  /** known by name, without code in this release: rows of it are listed and do not mount */
  readonly planned?: true;
};

export type Catalog = {
  /** changes with any part of the data, so that a new release is a new composition */
  readonly version: string;
  /** the entry of a name, or null; inherited names are unknown like any other */
  find(name: string): CatalogEntry | null;
  readonly entries: readonly CatalogEntry[];
  /** what is wrong with a plugin's config */
  checkConfig(name: string, config: JsonObject): ConfigFault[];
};

/** @throws Error when two entries have one name */
export function makeCatalog(entries: readonly CatalogEntry[]): Catalog {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  if (byName.size !== entries.length) throw new Error("two catalogue entries have one name");
  const schemas = new Map<string, z.ZodType>();
  const schemaOf = (entry: CatalogEntry) => {
    const made = schemas.get(entry.name) ?? z.fromJSONSchema(entry.config as Parameters<typeof z.fromJSONSchema>[0]);
    schemas.set(entry.name, made);
    return made;
  };
  return {
    version: hashOf(entries.map(({ check: _code, ...data }) => data)).slice(0, 16),
    entries,
    find: (name) => byName.get(name) ?? null,
    checkConfig(name, config) {
      const entry = byName.get(name);
      if (!entry) return [];
      const { error, data } = schemaOf(entry).safeParse(config);
      if (error) return error.issues.flatMap((issue) => configFaults(issue, entry.config, config));
      return (entry.check?.(data as JsonObject) ?? []).map((message) => ({ path: [], message, advice: correct }));
    },
  };
}
