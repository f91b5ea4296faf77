import type { Json, JsonObject } from "@gantry/contracts";

/** Short forms for the JSON Schemas of the catalogue, equal to what zod prints for the plugins' own schemas. */
type Extra = { readonly [keyword: string]: Json };

export const whole = (extra: Extra = {}): JsonObject => ({ type: "integer", maximum: Number.MAX_SAFE_INTEGER, ...extra });
export const positive = (fallback?: number, extra: Extra = {}): JsonObject =>
  whole({ exclusiveMinimum: 0, ...(fallback === undefined ? {} : { default: fallback }), ...extra });
export const flag = (fallback?: boolean): JsonObject => ({ type: "boolean", ...(fallback === undefined ? {} : { default: fallback }) });
export const text = (extra: Extra = {}): JsonObject => ({ type: "string", ...extra });
export const textList = (extra: Extra = {}, items: JsonObject = text({ minLength: 1 })): JsonObject => ({ type: "array", items, ...extra });
export const absolutePath = (fallback: string): JsonObject => text({ format: "starts_with", pattern: "^\\/.*", default: fallback });

/** Fields without a default are required. */
export const fields = (
  properties: { readonly [name: string]: JsonObject },
  { open = false, optional = [] as string[] } = {},
): JsonObject => {
  const required = Object.keys(properties).filter((name) => properties[name]?.default === undefined && !optional.includes(name));
  return {
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(open ? {} : { additionalProperties: false }),
  };
};

export const noConfig: JsonObject = fields({});
/** For plugins without code, whose fields nobody knows yet. */
export const anyConfig: JsonObject = { type: "object" };
