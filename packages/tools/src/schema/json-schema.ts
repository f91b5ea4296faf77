import type { JsonObject } from "@gantry/contracts";
import { z } from "zod";

/** The subset of JSON Schema a tool may speak (TLS-2). Annotations carry no meaning for validation. */
export type JsonSchema = JsonObject;

const annotations = ["description", "title", "default"];
const keywords = new Set(["type", "properties", "required", "additionalProperties", "items", "enum", "const", "oneOf", ...annotations]);
const types = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);

/**
 * Refuses a schema that uses anything outside the subset, so that what the model is told is what is checked.
 * @throws TypeError naming the path inside the schema
 */
export function assertSchema(schema: unknown, path = "schema"): asserts schema is JsonSchema {
  if (!isPlain(schema)) throw new TypeError(`${path} must be a JSON Schema object`);
  for (const key of Object.keys(schema)) {
    if (!keywords.has(key)) throw new TypeError(`${path} uses "${key}", which is outside the supported subset of JSON Schema`);
  }
  if (schema.type !== undefined && !types.has(schema.type as string)) throw new TypeError(`${path}.type is not a known type`);
  if (schema.oneOf !== undefined) {
    if (!Array.isArray(schema.oneOf) || schema.oneOf.length < 2) throw new TypeError(`${path}.oneOf needs at least two branches`);
    for (const [index, branch] of schema.oneOf.entries()) assertSchema(branch, `${path}.oneOf[${index}]`);
  }
  if (schema.items !== undefined) assertSchema(schema.items, `${path}.items`);
  assertChoices(schema, path);
  assertMembers(schema, path);
}

function assertChoices(schema: Record<string, unknown>, path: string): void {
  if (schema.enum !== undefined && !(Array.isArray(schema.enum) && schema.enum.length > 0))
    throw new TypeError(`${path}.enum must be a list with at least one value`);
}

function assertMembers(schema: Record<string, unknown>, path: string): void {
  const { required, additionalProperties, properties } = schema;
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === "string")))
    throw new TypeError(`${path}.required must be a list of names`);
  if (additionalProperties !== undefined && typeof additionalProperties !== "boolean")
    assertSchema(additionalProperties, `${path}.additionalProperties`);
  if (properties !== undefined && !isPlain(properties)) throw new TypeError(`${path}.properties must be an object`);
  for (const [name, child] of Object.entries(properties ?? {})) assertSchema(child, `${path}.properties.${name}`);
}

/** Parameters must be an object at the root: that is the only shape a model calls with. @throws TypeError */
export function assertParameters(schema: unknown): asserts schema is JsonSchema {
  assertSchema(schema, "parameters");
  if (schema.type !== "object") throw new TypeError('parameters must have type "object"');
}

/**
 * The JSON Schema of a zod shape, in the subset. Objects stay open unless they are strict; a union becomes `oneOf`,
 * so its branches must exclude each other. @throws TypeError for a shape the subset cannot say
 */
export function schemaOf(shape: z.ZodType): JsonSchema {
  const schema = simplify(z.toJSONSchema(shape, { io: "input" }));
  assertSchema(schema);
  return schema;
}

/** Turns zod's spelling into ours: no `$schema`, `anyOf` and lists of types as `oneOf`, no key patterns or integer bounds. */
function simplify(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(simplify);
  if (!isPlain(node)) return node;
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === "properties" && isPlain(value)) {
      out.properties = Object.fromEntries(Object.entries(value).map(([name, child]) => [name, simplify(child)]));
    } else if (key === "anyOf") {
      out.oneOf = simplify(value);
    } else if (key === "type" && Array.isArray(value)) {
      out.oneOf = value.map((type) => ({ type }));
    } else if (key === "additionalProperties" && isPlain(value) && Object.keys(value).length === 0) {
      out.additionalProperties = true; // a schema that everything fits
    } else if (!["$schema", "propertyNames", "minimum", "maximum"].includes(key)) {
      out[key] = simplify(value);
    }
  }
  return out;
}

export function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
