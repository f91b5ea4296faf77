import type { JsonObject } from "@gantry/contracts";
import { z } from "zod";
import type { Condition } from "../conditions/vocabulary.ts";
import { hashOf } from "../json.ts";

export type Plane = "host" | "preset";

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
  /** refuses every layer but the platform's */
  readonly locked?: true;
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
  /** what is wrong with a plugin's config, as path and reason */
  checkConfig(name: string, config: JsonObject): { path: PropertyKey[]; message: string }[];
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
    version: hashOf(entries).slice(0, 16),
    entries,
    find: (name) => byName.get(name) ?? null,
    checkConfig(name, config) {
      const entry = byName.get(name);
      const parsed = entry ? schemaOf(entry).safeParse(config) : null;
      return parsed?.error?.issues.map(({ path, message }) => ({ path, message })) ?? [];
    },
  };
}
