import { isDeepStrictEqual } from "node:util";
import { isPlain, type JsonSchema } from "./json-schema.ts";

/** Violations that a message quotes; a model that sent thousands learns nothing from the rest. */
const maxListed = 100;

/**
 * Every violation of `schema` in `value`, as sentences a model can act on; empty when the value fits.
 * Defaults are documentation: nothing is injected or coerced.
 */
export function violations(schema: JsonSchema, value: unknown): string[] {
  const found: string[] = [];
  collect(schema, value, "", found);
  return found;
}

/** Violations as one text. */
export function listed(found: readonly string[]): string {
  const rest = found.length - maxListed;
  return found.slice(0, maxListed).join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}

/** Adds to `found` one by one: a list of a hundred thousand wrong items would not fit into the arguments of a call. */
function collect(schema: JsonSchema, value: unknown, path: string, found: string[]): void {
  const at = path === "" ? "the value" : path;
  if (typeof schema.type === "string" && !hasType(schema.type, value)) {
    found.push(`${at} must be ${article(schema.type)}, got ${nameOf(value)}`);
    return;
  }
  if (Array.isArray(schema.enum) && !schema.enum.some((item) => isDeepStrictEqual(item, value))) {
    found.push(`${at} must be one of ${schema.enum.map((item) => JSON.stringify(item)).join(", ")}`);
  }
  if (schema.const !== undefined && !isDeepStrictEqual(schema.const, value)) found.push(`${at} must be ${JSON.stringify(schema.const)}`);
  if (Array.isArray(schema.oneOf)) {
    const matching = schema.oneOf.filter((branch) => violations(branch as JsonSchema, value).length === 0).length;
    if (matching !== 1) found.push(`${at} must match exactly one of ${schema.oneOf.length} forms, it matches ${matching}`);
  }
  if (Array.isArray(value) && isPlain(schema.items)) {
    for (const [index, item] of value.entries()) collect(schema.items as JsonSchema, item, `${path}[${index}]`, found);
  }
  if (isPlain(value)) collectMembers(schema, value, path, found);
}

function collectMembers(schema: JsonSchema, value: Record<string, unknown>, path: string, found: string[]): void {
  const properties = isPlain(schema.properties) ? schema.properties : {};
  const child = (name: string) => (path === "" ? name : `${path}.${name}`);
  for (const name of Array.isArray(schema.required) ? (schema.required as string[]) : []) {
    if (!Object.hasOwn(value, name)) found.push(`missing required property ${child(name)}`);
  }
  for (const [name, item] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) collect(properties[name] as JsonSchema, item, child(name), found);
    else if (schema.additionalProperties === false) found.push(`unexpected property ${child(name)}`);
    else if (isPlain(schema.additionalProperties)) collect(schema.additionalProperties as JsonSchema, item, child(name), found);
  }
}

function hasType(type: string, value: unknown): boolean {
  if (type === "object") return isPlain(value);
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  if (type === "integer") return Number.isInteger(value);
  if (type === "number") return typeof value === "number" && Number.isFinite(value);
  return typeof value === type;
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : article(typeof value);
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
