import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from "yaml";

export type RowPath = readonly (string | number)[];
/** A row of the text as the form shows it. */
export type FormRow = {
  readonly id: string;
  readonly name: string;
  /** where it stands in the text */
  readonly path: RowPath;
  readonly line: number;
  /** null: a condition decides */
  readonly enabled: boolean | null;
  readonly isGroup: boolean;
  readonly config: Readonly<Record<string, unknown>>;
  readonly children: readonly FormRow[];
};
export type FormRows = { readonly rows: readonly FormRow[] } | { readonly problem: string; readonly line: number };

const groupName = "cordis:group";
const read = (source: string, lineCounter?: LineCounter) =>
  parseDocument(source, { schema: "core", merge: false, prettyErrors: false, ...(lineCounter && { lineCounter }) });

/** The rows of a text, or why it cannot be shown as a form. */
export function rowsOf(source: string): FormRows {
  const lines = new LineCounter();
  const document = read(source, lines);
  const [error] = document.errors;
  if (error) return { problem: error.message, line: lines.linePos(error.pos[0]).line };
  if (document.contents === null) return { rows: [] };
  if (!isSeq(document.contents)) return { problem: "The text is not a list of rows.", line: 1 };
  return { rows: readRows(document.contents.items, [], lines) };
}

function readRows(items: readonly unknown[], path: RowPath, lines: LineCounter): FormRow[] {
  return items.flatMap((item, at): FormRow[] => {
    if (!isMap(item)) return [];
    const here = [...path, at];
    const config = item.get("config");
    const isGroup = textAt(item, "name") === groupName;
    return [
      {
        id: textAt(item, "id"),
        name: textAt(item, "name"),
        path: here,
        line: item.range ? lines.linePos(item.range[0]).line : 1,
        enabled: enabledOf(item),
        isGroup,
        config: isMap(config) ? (config.toJSON() as Record<string, unknown>) : {},
        children: isGroup && isSeq(config) ? readRows(config.items, [...here, "config"], lines) : [],
      },
    ];
  });
}

const textAt = (map: YAMLMap, key: string): string => {
  const value = map.get(key);
  return typeof value === "string" ? value : "";
};

function enabledOf(row: YAMLMap): boolean | null {
  const node = row.get("disabled", true) as unknown;
  if (node === undefined) return true;
  return isScalar(node) && typeof node.value === "boolean" ? !node.value : null;
}

/**
 * Changes of the form as changes of the text: comments, order and everything the form does not know stay as they are, and so do the
 * lines of all other rows. Each takes a text that parses and gives the new text.
 */
export function setEnabled(source: string, path: RowPath, enabled: boolean): string {
  return changed(source, path, (document) => {
    if (enabled) document.deleteIn([...path, "disabled"]);
    else document.setIn([...path, "disabled"], true);
  });
}

/** `undefined` takes the field out, and an emptied `config` with it. */
export function setConfig(source: string, path: RowPath, field: string, value: unknown): string {
  return changed(source, path, (document) => {
    const config = [...path, "config"];
    if (value !== undefined) {
      if (!document.hasIn(config)) document.setIn(config, document.createNode({}));
      document.setIn([...config, field], isPlain(value) ? value : document.createNode(value));
      return;
    }
    document.deleteIn([...config, field]);
    const rest = document.getIn(config);
    if (isMap(rest) && rest.items.length === 0) document.deleteIn(config);
  });
}

export function removeRow(source: string, path: RowPath): string {
  return changed(source, path, (document) => void document.deleteIn(path));
}

/** Adds a row at the end of the list. */
export function addRow(source: string, row: { id: string; name: string }): string {
  return changed(source, null, (document) => {
    if (!isSeq(document.contents)) document.contents = document.createNode([]) as typeof document.contents;
    if (!isSeq(document.contents)) return;
    if (document.contents.items.length === 0) document.contents.flow = false;
    document.add(document.createNode(row));
  });
}

/** The plugin's name as an id that no row of the text has yet. */
export function freeId(rows: readonly FormRow[], name: string): string {
  const taken = new Set(idsOf(rows));
  const base = name.replace(/[^a-z0-9-]+/gi, "-").toLowerCase();
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (!taken.has(id)) return id;
  }
}

const idsOf = (rows: readonly FormRow[]): string[] => rows.flatMap((row) => [row.id, ...idsOf(row.children)]);
const isPlain = (value: unknown): boolean => value === null || typeof value !== "object";

function changed(source: string, path: RowPath | null, change: (document: Document) => void): string {
  const document = read(source);
  if (document.errors.length > 0) throw new Error("a text that does not parse has no form");
  change(document);
  const whole = document.toString({ lineWidth: 0 });
  const patched = splice(source, whole, path);
  return patched !== null && isDeepEqual(read(patched).toJS(), document.toJS()) ? patched : whole;
}

/** The source with only the top-level row of `path` taken from `whole` (null: what was added at the end). Null when it is not laid out so. */
function splice(source: string, whole: string, path: RowPath | null): string | null {
  const [old, now] = [itemRanges(source), itemRanges(whole)];
  const isBlock = old.length > 0 && old.every(({ dash }) => source.startsWith("- ", dash) && (dash === 0 || source[dash - 1] === "\n"));
  if (!isBlock) return null;
  const at = path === null ? old.length : Number(path[0]);
  const before = old[at];
  const after = now[at];
  if (path?.length === 1 && before && now.length < old.length) return source.slice(0, before.dash) + source.slice(before.end);
  if (!after) return null;
  const row = whole.slice(after.dash, after.end);
  return before ? source.slice(0, before.dash) + row + source.slice(before.end) : source.replace(/\n*$/, "\n") + row;
}

type ItemRange = { readonly dash: number; readonly end: number };

function itemRanges(source: string): ItemRange[] {
  const { contents } = read(source);
  if (!isSeq(contents)) return [];
  return contents.items.flatMap((item): ItemRange[] => {
    const range = isMap(item) ? item.range : null;
    return range ? [{ dash: range[0] - 2, end: range[2] }] : [];
  });
}

/** Both are what a YAML text can hold. */
const isDeepEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
