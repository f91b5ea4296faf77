import { optionsOf, schemaAt } from "./config-fields.ts";
import { placeIn } from "./place.ts";

/** What the editor knows about plugins and conditions. */
export type Hints = {
  readonly plugins: readonly { readonly name: string; readonly description: string; readonly config: unknown }[];
  readonly services: readonly string[];
  readonly operators: readonly string[];
  readonly facts: readonly string[];
};
export type Completion = { readonly label: string; readonly detail?: string; readonly insert: string };
export type Completions = { readonly word: string; readonly options: readonly Completion[] };

const rowFields: readonly [field: string, insert: string][] = [
  ["id", "id: "],
  ["name", "name: "],
  ["config", "config:"],
  ["disabled", "disabled: "],
  ["group", "group: true"],
  ["isolate", "isolate:"],
  ["inject", "inject:"],
];
const plain = (label: string, detail?: string): Completion => ({ label, insert: label, ...(detail && { detail }) });
const asKey = (label: string, detail?: string): Completion => ({ ...plain(label, detail), insert: `${label}: ` });

/** What may stand at the cursor. `layer`: the text is a list of patches, which may also insert rows. */
export function completionsAt(before: string, after: string, hints: Hints, { layer = false } = {}): Completions | null {
  const place = placeIn(before, after);
  if (
    place.isText ||
    before
      .slice(before.lastIndexOf("\n") + 1)
      .trimStart()
      .startsWith("#")
  )
    return null;
  const { key, path, word } = place;
  const options = key === null ? keysAt(place, hints, layer) : valuesAt(key, path, place.plugin, hints);
  return options.length > 0 ? { word, options } : null;
}

function keysAt({ path, plugin, word }: ReturnType<typeof placeIn>, hints: Hints, layer: boolean): Completion[] {
  const operators = () => hints.operators.map((name) => asKey(name));
  const [part, ...inside] = path;
  if (part === undefined) {
    const fields = rowFields.map(([label, insert]) => ({ label, insert }));
    return layer ? [...fields, { label: "insert", insert: "insert:" }] : fields;
  }
  if (part === "disabled") return operators();
  if (part === "isolate") return hints.services.map((name) => asKey(name));
  if (part === "inject") return hints.services.map((name) => plain(name));
  if (part !== "config") return [];
  if (word.startsWith("$")) return operators();
  const schema = schemaAt(schemaOf(plugin, hints), inside);
  const options = optionsOf(schema);
  if (options) return options.map((name) => plain(name));
  return Object.entries(propertiesOf(schema)).map(([name, property]) => asKey(name, typeOf(property)));
}

function valuesAt(key: string, path: readonly (string | null)[], plugin: string | null, hints: Hints): Completion[] {
  if (key === "$fact") return hints.facts.map((name) => plain(name));
  const [part, ...inside] = path;
  if (part === undefined) {
    if (key === "name") return hints.plugins.map(({ name, description }) => plain(name, description));
    return key === "disabled" || key === "group" ? [plain("true"), ...(key === "disabled" ? [plain("false")] : [])] : [];
  }
  if (part === "isolate") return [plain("true")];
  if (part !== "config") return [];
  const schema = schemaAt(schemaOf(plugin, hints), [...inside, key]);
  if (typeOf(schema) === "boolean") return [plain("true"), plain("false")];
  return (optionsOf(schema) ?? []).map((value) => plain(value));
}

const schemaOf = (plugin: string | null, hints: Hints): unknown => hints.plugins.find(({ name }) => name === plugin)?.config ?? null;

function propertiesOf(schema: unknown): Record<string, unknown> {
  const properties = (schema as { properties?: unknown } | null)?.properties;
  return typeof properties === "object" && properties !== null ? (properties as Record<string, unknown>) : {};
}

const typeOf = (schema: unknown): string => {
  const { type } = (schema ?? {}) as { type?: unknown };
  return typeof type === "string" ? type : "";
};
