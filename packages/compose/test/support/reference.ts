import type { Change, Insertion, Layer, Row } from "../../src/index.ts";

type Plain = { id: string; name: string; config?: unknown; [field: string]: unknown };

/** The rules of patching (8.2) written the slow and obvious way: one list, searched for each patch. Knows nothing of provenance. */
export function reference(layers: readonly Layer[]): Plain[] {
  const top: Plain[] = [];
  for (const { patches } of layers) {
    for (const patch of structuredClone(patches) as (Insertion | Change)[]) {
      if ("insert" in patch) {
        const list = patch.id === undefined ? top : listOf(find(top, patch.id));
        if (list) for (const row of patch.insert) add(top, list, row);
        continue;
      }
      const row = patch.id === undefined ? null : find(top, patch.id);
      if (!row || (patch.name !== undefined && patch.name !== row.name)) continue;
      if (patch.config !== undefined && Array.isArray(patch.config) !== (listOf(row) !== null)) continue;
      const { id: _id, name: _name, config, ...fields } = patch;
      Object.assign(row, fields);
      const children = listOf(row);
      if (config !== undefined && children) {
        children.length = 0;
        for (const child of config as Row[]) add(top, children, child);
      } else if (config !== undefined) row.config = config;
    }
  }
  return top;
}

function add(top: Plain[], list: Plain[], row: Row): void {
  if (find(top, row.id)) return;
  const children = row.group ? (row.config as Row[]) : [];
  const added: Plain = { ...row, ...(row.group ? { config: [] } : {}) };
  list.push(added);
  for (const child of children) add(top, added.config as Plain[], child);
}

const listOf = (row: Plain | null): Plain[] | null => (row?.group === true ? (row.config as Plain[]) : null);

function find(rows: Plain[], id: string): Plain | null {
  for (const row of rows) {
    const found = row.id === id ? row : find(listOf(row) ?? [], id);
    if (found) return found;
  }
  return null;
}
