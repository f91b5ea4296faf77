/** One step outwards from a place in the text: the key it is under, or the list item (and its line) it is in. */
type Step = { readonly key: string; readonly line: number } | { readonly key: null; readonly line: number; readonly indent: number };

type Line = { readonly dash: number | null; readonly column: number; readonly key: string | null; readonly value: string };
const lineShape = /^(\s*)((?:- +)*-?)(\s*)(?:("[^"]*"|'[^']*'|[\w$.:-]+?):(?=\s|$))?(.*)$/;

function readLine(text: string): Line {
  const [, indent = "", dashes = "", gap = "", key, value = ""] = lineShape.exec(text) ?? [];
  const lead = indent.length + dashes.length + gap.length;
  const dash = dashes.includes("-") ? indent.length + dashes.lastIndexOf("-") : null;
  return { dash, column: lead, key: key?.replace(/^["']|["']$/g, "") ?? null, value: value.trim() };
}

const isBlank = (text: string): boolean => /^\s*(#|$)/.test(text);

/** Where the cursor stands in a list of rows: what row it is in, the keys above it inside that row, and what is being written. */
export type Place = {
  /** the plugin's name of the row, null when it has none yet */
  readonly plugin: string | null;
  /** keys from the row to the cursor; null is a list item */
  readonly path: readonly (string | null)[];
  /** the key whose value is being written, null while a key is written */
  readonly key: string | null;
  /** what is written so far of the word */
  readonly word: string;
  /** inside a value of several lines: nothing to offer */
  readonly isText: boolean;
};

/** Reads the indentation around the end of `before`, which is the text up to the cursor: the text need not be complete. */
export function placeIn(before: string, after = ""): Place {
  const lines = before.split("\n");
  const at = lines.length - 1;
  const current = readLine(lines[at] ?? "");
  const { steps, isText } = stepsOut(lines, at, current);
  const rowAt = rowIndex(steps);
  const row = steps[rowAt];
  const path = steps.slice(0, Math.max(rowAt, 0)).map((step) => step.key);
  const all = after === "" ? lines : `${before}${after}`.split("\n");
  return {
    plugin: row && row.key === null ? nameIn(all, row.line, row.indent) : null,
    path: path.reverse(),
    key: current.key,
    word: current.key === null ? (lines[at] ?? "").slice(current.column) : current.value,
    isText,
  };
}

function stepsOut(lines: readonly string[], at: number, current: Line): { steps: Step[]; isText: boolean } {
  const steps: Step[] = [];
  let limit = current.column;
  const leaveItem = (line: Line, number: number) => {
    if (line.dash === null || line.dash >= limit) return;
    steps.push({ key: null, line: number, indent: line.dash });
    limit = line.dash + 1; // a list may stand as far left as its key
  };
  leaveItem(current, at);
  for (let number = at - 1; number >= 0 && limit > 0; number--) {
    const text = lines[number] ?? "";
    if (isBlank(text)) continue;
    const line = readLine(text);
    if (line.key !== null && line.column < limit) {
      if (line.value !== "" && !line.value.startsWith("#")) return { steps, isText: true };
      steps.push({ key: line.key, line: number });
      limit = line.column;
    }
    if (line.dash !== null && line.dash < limit && (line.column <= limit || line.key === null)) leaveItem(line, number);
  }
  return { steps, isText: false };
}

const rowParts = new Set(["config", "disabled", "isolate", "inject"]);

/** The innermost item that is a row: of the outer list, or of a list under `config` or `insert`. */
function rowIndex(steps: readonly Step[]): number {
  const part = steps.findIndex((step) => step.key !== null && rowParts.has(step.key));
  const item = (from: number) => steps.findIndex((step, at) => at >= from && step.key === null);
  if (part < 0) return item(0);
  const isRowOfGroup = part === 1 && steps[0]?.key === null && steps[1]?.key === "config";
  return isRowOfGroup ? 0 : item(part);
}

function nameIn(lines: readonly string[], start: number, dash: number): string | null {
  for (let number = start; number < lines.length; number++) {
    const text = lines[number] ?? "";
    if (isBlank(text)) continue;
    const line = readLine(text);
    if (number > start && Math.min(line.dash ?? line.column, line.column) <= dash) return null;
    if (line.key === "name" && (number === start || line.column > dash) && line.value) return line.value.replace(/^["']|["']$/g, "");
  }
  return null;
}
