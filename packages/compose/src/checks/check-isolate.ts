import type { Catalog } from "../catalog/entry.ts";
import type { ComposedRow } from "../composition.ts";
import { type Issue, keyPath } from "../input/issue.ts";
import { groupName } from "../rows/row.ts";
import { placeRows } from "../services/realms.ts";

/** Services that rows of a preset would provide to everybody in the root instead of to the preset alone (G-9). Rows that are off count: they may go on. */
export function checkIsolate(rows: readonly ComposedRow[], catalog: Catalog): Issue[] {
  return [...placeRows(rows)].flatMap((placed) => {
    const { id, name } = placed.row.row;
    const leaks = (catalog.find(name)?.provides ?? []).filter((service) => placed.realmOf(service) === null);
    return leaks.map((service): Issue => {
      const message = `${id} provides ${service}, and other presets would see it. Put it in a ${groupName} with isolate: { ${service}: true }.`;
      return { code: "PRESET_LEAK", path: placed.path.reduce(keyPath, "$"), message };
    });
  });
}
