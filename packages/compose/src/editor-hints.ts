import type { JsonObject } from "@gantry/contracts";
import type { CatalogEntry } from "./catalog/entry.ts";
import { catalogData } from "./catalog/index.ts";
import { factNames, factType } from "./conditions/facts.ts";
import { conditionOperators, valueOperators } from "./input/operators.ts";
import { groupName } from "./rows/row.ts";

export type PluginHint = Pick<CatalogEntry, "name" | "description" | "planes" | "provides" | "requires"> & {
  /** JSON Schema */
  config: JsonObject;
  isPlanned: boolean;
  isLocked: boolean;
};
export type EditorHints = {
  plugins: PluginHint[];
  /** the name of rows that hold rows */
  group: string;
  rowFields: string[];
  services: string[];
  operators: { condition: string[]; value: string[] };
  /** `org.flag.<name>` stands for any flag of the org */
  facts: { name: string; type: "string" | "number" | "boolean" }[];
};

/** What an editor of presets and layers offers while one writes. Plain JSON, the same for every org. */
export function editorHints(): EditorHints {
  const plugins = catalogData.entries.map(({ name, description, planes, provides, requires, config, planned, locked }) => {
    return { name, description, planes, provides, requires, config, isPlanned: planned === true, isLocked: locked === true };
  });
  const services = new Set(plugins.flatMap(({ provides, requires }) => [...provides, ...requires]));
  return {
    plugins: plugins.sort((a, b) => (a.name < b.name ? -1 : 1)),
    group: groupName,
    rowFields: ["id", "name", "config", "disabled", "group", "isolate", "inject"],
    services: [...services].sort(),
    operators: { condition: [...conditionOperators], value: [...valueOperators] },
    facts: factNames().map((name) => ({ name, type: factType(name) ?? "boolean" })),
  };
}
