import { gateText, gateValue } from "../input/gate.ts";
import { type Issue, indexPath, keyPath, placed } from "../input/issue.ts";
import { limits } from "../input/limits.ts";
import { detached } from "../json.ts";
import { checkRows } from "../rows/check-rows.ts";
import { childrenOf, type Row } from "../rows/row.ts";

export type ReadPreset = { ok: true; rows: readonly Row[] } | { ok: false; issues: Issue[] };

/** The rows of a preset's text, YAML or JSON, or every reason against it with its line: gate, shape, conditions, ids (G-4, E-1 to E-6). */
export const readPresetSource = (source: string): ReadPreset => readRows(gateText(source));

/** The same for rows that come as data, out of a JSON column: they pass the gate again before each use (9.2). */
export const readPresetRows = (value: unknown): ReadPreset => readRows(gateValue(value));

function readRows(gated: ReturnType<typeof gateText>): ReadPreset {
  if (!gated.ok) return gated;
  const shape = checkRows(gated.value, "$");
  const issues = shape.length > 0 ? shape : checkList(gated.value as unknown as readonly Row[]);
  if (issues.length > 0) return { ok: false, issues: placed(issues, gated.locate) };
  return { ok: true, rows: detached(gated.value) as unknown as readonly Row[] };
}

function checkList(rows: readonly Row[]): Issue[] {
  const seen = new Set<string>();
  const places = [...placesOf(rows)];
  const twice = places.flatMap(({ id, at }): Issue[] => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ code: "ROW_DUPLICATE", path: at, message: `The id "${id}" is taken by a row above. Give one of them another id.` }];
  });
  if (places.length <= limits.maxPresetRows) return twice;
  const message = `The preset has ${places.length} rows, ${limits.maxPresetRows} is the most. Remove some.`;
  return [...twice, { code: "INPUT_LIMIT", path: "$", message }];
}

/** Each row's id, its path by ids as problems name it, and its path in the text. */
export function* placesOf(rows: readonly Row[], at = "$", path = "$"): Generator<{ id: string; path: string; at: string }> {
  for (const [index, row] of rows.entries()) {
    const place = { id: row.id, path: keyPath(path, row.id), at: indexPath(at, index) };
    yield place;
    yield* placesOf(childrenOf(row), keyPath(place.at, "config"), place.path);
  }
}
