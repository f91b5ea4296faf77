import type { JsonObject } from "@gantry/contracts";
import type { z } from "zod";
import { shortened } from "../input/issue.ts";
import { isObject, own } from "../json.ts";

/** What is wrong with a config: at which path, why, and what to do. */
export type ConfigFault = { path: PropertyKey[]; message: string; advice: string };

export const correct = "Correct the value.";

/** More fields than this are not listed. */
const fewFields = 8;

/** Unknown keys of one map that are told; a hostile one has thousands. */
const maxKeys = 20;

/** What zod says of a config, in the words of who writes it: each unknown key on its own, at the key; what a field takes instead of a type's name. */
export function configFaults(issue: z.core.$ZodIssue, schema: JsonObject, config: JsonObject): ConfigFault[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    const fields = Object.keys(own(schemaAt(schema, path), "properties") ?? {});
    return issue.keys.slice(0, maxKeys).map((key) => ({ path: [...path, key], ...unknownKey(key, fields, path.length === 0) }));
  }
  const takes = takenBy(schemaAt(schema, path));
  if (path.length === 0 || takes === null) return [{ path, message: issue.message, advice: correct }];
  const value = path.reduce<unknown>(memberOf, config);
  const name = fieldName(path);
  if (value === undefined) return [{ path, message: `the field "${name}" is missing. It takes ${takes}`, advice: "Add it." }];
  return [
    {
      path,
      message: `"${name}" takes ${takes}${issue.code === "invalid_type" ? `, and this is ${kindOf(value, takes)}` : ""}`,
      advice: correct,
    },
  ];
}

function unknownKey(key: string, fields: readonly string[], isTop: boolean): { message: string; advice: string } {
  const name = shortened(key);
  if (fields.length === 0)
    return {
      message: isTop ? `it takes no config, and "${name}" is written` : `nothing stands here, and "${name}" is written`,
      advice: "Remove it.",
    };
  const near = nearest(key, fields);
  const meant = near === null ? "" : ` Did you mean "${near}"?`;
  const listed = fields.length <= fewFields ? ` Its fields are ${fields.join(", ")}.` : "";
  return { message: `it has no field "${name}".${meant}${listed}`, advice: "Rename or remove it." };
}

function schemaAt(schema: JsonObject, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (typeof key === "number" ? own(at, "items") : own(own(at, "properties"), String(key))), schema);
}

const memberOf = (value: unknown, key: PropertyKey): unknown =>
  Array.isArray(value) && typeof key === "number" ? value[key] : own(value, String(key));

/** `presets[0].mode` */
const fieldName = (path: readonly PropertyKey[]): string =>
  path.map((key, index) => (typeof key === "number" ? `[${key}]` : `${index > 0 ? "." : ""}${String(key)}`)).join("");

const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  array: "a list",
  object: "a map",
};

/** What a field takes, in words; null for what these have no words for. */
function takenBy(schema: unknown): string | null {
  const values = own(schema, "enum");
  if (Array.isArray(values)) return `one of ${values.join(", ")}`;
  const kind = own(kinds, String(own(schema, "type")));
  if (typeof kind !== "string") return null;
  const bounds = [...numberBounds(schema), ...lengthBounds(schema), ...formOf(schema)];
  return bounds.length > 0 ? `${kind} ${bounds.join(" and ")}` : kind;
}

function numberBounds(schema: unknown): string[] {
  const [min, above, max] = ["minimum", "exclusiveMinimum", "maximum"].map((keyword) => own(schema, keyword));
  return [
    ...(typeof min === "number" ? [`at least ${min}`] : []),
    ...(typeof above === "number" ? [`above ${above}`] : []),
    ...(typeof max === "number" && max !== Number.MAX_SAFE_INTEGER ? [`at most ${max}`] : []),
  ];
}

function lengthBounds(schema: unknown): string[] {
  const unit = own(schema, "type") === "array" ? "entries" : "characters";
  const [min, max] = [own(schema, "minLength") ?? own(schema, "minItems"), own(schema, "maxLength") ?? own(schema, "maxItems")];
  return [
    ...(min === 1 ? ["that is not empty"] : typeof min === "number" ? [`of at least ${min} ${unit}`] : []),
    ...(typeof max === "number" ? [`of at most ${max} ${unit}`] : []),
  ];
}

function formOf(schema: unknown): string[] {
  const pattern = own(schema, "pattern");
  if (typeof pattern !== "string") return [];
  const start = own(schema, "format") === "starts_with" ? /^\^\\?(.)\.\*$/.exec(pattern)?.[1] : undefined;
  return [start ? `that starts with ${start}` : `that matches ${pattern}`];
}

/** Not the value itself: it may be a secret in the wrong place. */
function kindOf(value: unknown, takes: string): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "a map";
  if (typeof value === "number") return takes.startsWith("a whole") ? "no whole number" : "a number";
  return typeof value === "string" ? "a text" : "true or false";
}

/** The field that a key is most likely meant to be: one that differs in a letter or two. */
function nearest(key: string, fields: readonly string[]): string | null {
  if (key.length > 64) return null;
  const written = key.toLowerCase();
  const ranked = fields.map((field) => ({ field, away: distance(written, field.toLowerCase()) })).sort((a, b) => a.away - b.away);
  const [best] = ranked;
  return best && best.away <= Math.floor((best.field.length + 1) / 3) ? best.field : null;
}

/** Letters to add, take out or change (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const [above, before, diagonal] = [row[j] ?? 0, next[j - 1] ?? 0, row[j - 1] ?? 0];
      next.push(Math.min(above + 1, before + 1, diagonal + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
