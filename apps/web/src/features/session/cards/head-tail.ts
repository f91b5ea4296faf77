const headLines = 12;
const tailLines = 12;
const maxLineChars = 2_000;

export type Cut = { head: string; tail: string; hiddenLines: number };

/** The first and last lines of a long text, or null when it is short enough to show whole. */
export function headAndTail(text: string): Cut | null {
  const lines = text.trimEnd().split("\n");
  const isLong = lines.length > headLines + tailLines + 4 || text.length > 40 * maxLineChars;
  if (!isLong) return null;
  const short = (part: string[]) => part.map((line) => (line.length > maxLineChars ? `${line.slice(0, maxLineChars)}…` : line)).join("\n");
  const head = lines.slice(0, headLines);
  const tail = lines.slice(Math.max(headLines, lines.length - tailLines));
  return { head: short(head), tail: short(tail), hiddenLines: lines.length - head.length - tail.length };
}
