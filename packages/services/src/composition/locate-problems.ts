import { type ComposedRow, type Composition, gateText, type Issue, type Patch, type Row } from "@gantry/compose";
import { placed } from "@gantry/compose/input/issue";

/**
 * The problems of a composition with the line of a layer's text that is to blame. A path of the composition names a row (`$.tools.config.x`); the text
 * has the row at the last patch that wrote it. A problem of a row that the text does not mention gets the line of what it says of the row to blame (`cause`), else none.
 */
export function locateProblems({ rows, problems }: Pick<Composition, "rows" | "problems">, source: string): Issue[] {
  if (problems.length === 0) return [];
  const gated = gateText(source);
  if (!gated.ok || !Array.isArray(gated.value)) return [...problems];
  const patches = gated.value as unknown as readonly Patch[];
  const mentions = mentionsById(patches);
  const find = (path: string | undefined) => (path === undefined ? null : placeInText(path, rows, mentions));
  return problems.map((problem) => {
    const at = problem.path.startsWith("$[") ? problem.path : (find(problem.path) ?? find(problem.cause));
    const [found] = at ? placed([{ ...problem, path: at }], gated.locate) : [];
    return found ? { ...found, path: problem.path } : problem;
  });
}

/** A problem for somebody who did not write the text: by row and field instead of a line; the row once. */
export function describeByRow({ path, message }: Issue, rows: readonly ComposedRow[]): string {
  const { id, rest } = rowOfPath(path, rows);
  if (id === null || message.startsWith(`${id} `)) return message;
  return rest === "" ? `Row ${id}: ${message}` : `Row ${id}, field ${rest.replace(/^\./, "")}: ${message}`;
}

function placeInText(path: string, rows: readonly ComposedRow[], known: ReadonlyMap<string, readonly Mention[]>): string | null {
  const { id, rest } = rowOfPath(path, rows);
  const field = /^\.(\w+)/.exec(rest)?.[1];
  const mentions = (id === null ? undefined : known.get(id)) ?? [];
  const writer = mentions.findLast(({ row }) => field !== undefined && Object.hasOwn(row, field)) ?? mentions.at(-1);
  return writer ? `${writer.at}${rest}` : null;
}

/** `$.group.row.config.x` → the row `row` and the rest `.config.x`. */
function rowOfPath(path: string, rows: readonly ComposedRow[]): { id: string | null; rest: string } {
  let [id, rest, below]: [string | null, string, readonly ComposedRow[]] = [null, path.slice(1), rows];
  for (let next = firstRow(rest, below); next; next = firstRow(rest, below)) {
    id = next.row.id;
    rest = rest.slice(id.length + 1);
    below = next.children ?? [];
  }
  return { id, rest };
}

const firstRow = (rest: string, rows: readonly ComposedRow[]): ComposedRow | undefined => {
  const key = /^\.([\w$-]+)/.exec(rest)?.[1];
  return rows.find(({ row }) => row.id === key);
};

type Mention = { row: { readonly id?: string }; at: string };

function mentionsById(patches: readonly Patch[]): Map<string, Mention[]> {
  const found = new Map<string, Mention[]>();
  for (const mention of patches.flatMap((patch, index) => mentionsIn(patch, `$[${index}]`))) {
    if (mention.row.id === undefined) continue;
    const known = found.get(mention.row.id);
    if (known) known.push(mention);
    else found.set(mention.row.id, [mention]);
  }
  return found;
}

function mentionsIn(patch: Patch, at: string): Mention[] {
  if ("insert" in patch) return patch.insert.flatMap((row, index) => rowAndBelow(row, `${at}.insert[${index}]`));
  return rowAndBelow(patch as Row, at);
}

function rowAndBelow(row: Row, at: string): Mention[] {
  const children: readonly Row[] = Array.isArray(row.config) ? row.config : [];
  return [{ row, at }, ...children.flatMap((child, index) => rowAndBelow(child, `${at}.config[${index}]`))];
}
