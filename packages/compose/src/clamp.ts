import type { Json, JsonObject } from "@gantry/contracts";
import type { CatalogEntry, Limit } from "./catalog/entry.ts";
import { evaluate } from "./conditions/evaluate.ts";
import type { Facts } from "./conditions/facts.ts";
import { isObject, own } from "./json.ts";

/** A field that a layer set beyond what the platform allows, and what it became. */
export type Clamp = { field: string; from: Json; to: Json };

/** Bounds the config of a row by the limits of its plugin, whoever wrote it. Fields that are not there stay away: the plugin's own defaults are within bounds. */
export function clampConfig(entry: CatalogEntry, config: JsonObject, facts: Facts): { config: JsonObject; clamps: Clamp[] } {
  let result = config;
  const clamps: Clamp[] = [];
  for (const limit of entry.limits ?? []) {
    const path = limit.field.split(".");
    const from = path.reduce<unknown>(own, result) as Json | undefined;
    if (from === undefined || (limit.when !== undefined && !evaluate(limit.when, facts))) continue;
    const to = bounded(limit, from);
    if (to === from) continue;
    result = withField(result, path, to);
    clamps.push({ field: limit.field, from, to });
  }
  return { config: result, clamps };
}

function bounded({ min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, allowed }: Limit, value: Json): Json {
  if (allowed) return allowed.some((one) => one === value) ? value : (allowed[0] ?? null);
  return typeof value === "number" ? Math.min(Math.max(value, min), max) : value;
}

function withField(config: JsonObject, [field = "", ...rest]: readonly string[], value: Json): JsonObject {
  const inner = own(config, field);
  return { ...config, [field]: rest.length > 0 && isObject(inner) ? withField(inner as JsonObject, rest, value) : value };
}
