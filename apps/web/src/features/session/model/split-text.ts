import { markdownBlocks } from "./markdown-blocks.ts";
import type { TextRow } from "./rows.ts";

/** Texts of more blocks than this are drawn as several rows, so that only the part in view is in the page. */
const blocksPerRow = 16;
const splitAboveChars = 4_000;

const partsOf = new WeakMap<TextRow, TextRow[]>();
/** The last parts of a message that grows: a part whose text did not change keeps its object. */
const lastParts = new Map<string, TextRow[]>();
const keptMessages = 50;

/** A long text as rows of some blocks each. A growing text changes its last row only. */
export function splitText(row: TextRow): TextRow[] {
  if (row.text.length < splitAboveChars) return [row];
  const known = partsOf.get(row);
  if (known) return known;
  const before = lastParts.get(row.key) ?? [];
  const parts = makeParts(row).map((part, at) => {
    const old = before[at];
    return old && old.text === part.text && old.live === part.live && old.cutOff === part.cutOff ? old : part;
  });
  partsOf.set(row, parts);
  lastParts.delete(row.key);
  lastParts.set(row.key, parts);
  if (lastParts.size > keptMessages) lastParts.delete(lastParts.keys().next().value ?? "");
  return parts;
}

function makeParts(row: TextRow): TextRow[] {
  const blocks = markdownBlocks(row.text);
  const count = Math.max(1, Math.ceil(blocks.length / blocksPerRow));
  return Array.from({ length: count }, (_, at) => {
    const isLast = at === count - 1;
    const text = blocks.slice(at * blocksPerRow, (at + 1) * blocksPerRow).join("\n\n");
    return { ...row, key: at === 0 ? row.key : `${row.key}/${at}`, text, live: row.live && isLast, cutOff: row.cutOff && isLast };
  });
}
