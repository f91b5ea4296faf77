/** A field of a plugin's configuration that the form can edit. `yaml`: only the text can. */
export type ConfigField = { readonly name: string; readonly description: string | null; readonly default: unknown } & (
  | { readonly kind: "boolean" | "text" | "yaml" }
  | { readonly kind: "number"; readonly min: number | null; readonly max: number | null; readonly isInteger: boolean }
  | { readonly kind: "choice"; readonly options: readonly string[] }
  | { readonly kind: "list" }
);

type Schema = Readonly<Record<string, unknown>>;
const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null && !Array.isArray(value);
const bound = (...values: unknown[]): number | null => {
  const found = values.find((value): value is number => typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER);
  return found ?? null;
};

/** The properties of an object's JSON Schema as fields, in the schema's order. */
export function configFields(schema: unknown): ConfigField[] {
  if (!isSchema(schema) || !isSchema(schema.properties)) return [];
  return Object.entries(schema.properties).map(([name, property]) => fieldOf(name, isSchema(property) ? property : {}));
}

function fieldOf(name: string, schema: Schema): ConfigField {
  const description = typeof schema.description === "string" ? schema.description : null;
  const base = { name, description, default: schema.default };
  const options = optionsOf(schema);
  if (options) return { ...base, kind: "choice", options };
  if (schema.type === "boolean") return { ...base, kind: "boolean" };
  if (schema.type === "string") return { ...base, kind: "text" };
  if (schema.type === "integer" || schema.type === "number") {
    const [min, max] = [bound(schema.minimum, schema.exclusiveMinimum), bound(schema.maximum, schema.exclusiveMaximum)];
    return { ...base, kind: "number", min, max, isInteger: schema.type === "integer" };
  }
  if (schema.type === "array" && isSchema(schema.items) && schema.items.type === "string") return { ...base, kind: "list" };
  return { ...base, kind: "yaml" };
}

/** The values of a string that may only be one of a few; null for everything else. */
export function optionsOf(schema: unknown): string[] | null {
  if (!isSchema(schema)) return null;
  const values = Array.isArray(schema.enum)
    ? schema.enum
    : Array.isArray(schema.anyOf)
      ? schema.anyOf.map((one) => isSchema(one) && one.const)
      : [];
  return values.length > 0 && values.every((value) => typeof value === "string") ? (values as string[]) : null;
}

/** Whether the form's field can show this value; a condition, a fact or a secret cannot be edited there. */
export function fits(field: ConfigField, value: unknown): boolean {
  if (value === undefined) return true;
  switch (field.kind) {
    case "boolean":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number";
    case "text":
      return typeof value === "string";
    case "choice":
      return typeof value === "string" && field.options.includes(value);
    case "list":
      return Array.isArray(value) && value.every((one) => typeof one === "string");
    case "yaml":
      return false;
  }
}

/** The part of a schema that describes what lies at a path of keys and list items. */
export function schemaAt(schema: unknown, path: readonly (string | null)[]): unknown {
  let at: unknown = schema;
  for (const key of path) {
    if (!isSchema(at)) return null;
    if (key === null) at = at.items;
    else at = (isSchema(at.properties) ? at.properties[key] : undefined) ?? at.additionalProperties;
  }
  return at;
}
