import { isDeepStrictEqual } from "node:util";
import { isPlain, type JsonSchema } from "./json-schema.ts";

/**
 * Every violation of `schema` in `value`, as sentences a model can act on; empty when the value fits.
 * Defaults are documentation: nothing is injected or coerced.
 */
export function violations(schema: JsonSchema, value: unknown, path = ""): string[] {
  const at = path === "" ? "the value" : path;
  const found: string[] = [];
  if (typeof schema.type === "string" && !hasType(schema.type, value))
    return [`${at} must be ${article(schema.type)}, got ${nameOf(value)}`];
  if (Array.isArray(schema.enum) && !schema.enum.some((item) => isDeepStrictEqual(item, value))) {
    found.push(`${at} must be one of ${schema.enum.map((item) => JSON.stringify(item)).join(", ")}`);
  }
  if (schema.const !== undefined && !isDeepStrictEqual(schema.const, value)) found.push(`${at} must be ${JSON.stringify(schema.const)}`);
  if (Array.isArray(schema.oneOf)) {
    const matching = schema.oneOf.filter((branch) => violations(branch as JsonSchema, value, path).length === 0).length;
    if (matching !== 1) found.push(`${at} must match exactly one of ${schema.oneOf.length} forms, it matches ${matching}`);
  }
  if (Array.isArray(value) && isPlain(schema.items)) {
    for (const [index, item] of value.entries()) found.push(...violations(schema.items as JsonSchema, item, `${path}[${index}]`));
  }
  if (isPlain(value)) found.push(...objectViolations(schema, value, path));
  return found;
}

function objectViolations(schema: JsonSchema, value: Record<string, unknown>, path: string): string[] {
  const found: string[] = [];
  const properties = isPlain(schema.properties) ? schema.properties : {};
  const child = (name: string) => (path === "" ? name : `${path}.${name}`);
  for (const name of Array.isArray(schema.required) ? (schema.required as string[]) : []) {
    if (!Object.hasOwn(value, name)) found.push(`missing required property ${child(name)}`);
  }
  for (const [name, item] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) found.push(...violations(properties[name] as JsonSchema, item, child(name)));
    else if (schema.additionalProperties === false) found.push(`unexpected property ${child(name)}`);
    else if (isPlain(schema.additionalProperties)) {
      found.push(...violations(schema.additionalProperties as JsonSchema, item, child(name)));
    }
  }
  return found;
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
