import { structuredPatch } from "diff";
import { z } from "zod";

/** One changed stretch with its context lines: line `startLine` of the old text on. */
export const Hunk = z.object({ startLine: z.number(), oldText: z.string(), newText: z.string() });
export type Hunk = z.infer<typeof Hunk>;

/** Serialised bytes of hunks that travel with a result; a larger change is shown from the call's own arguments. */
const maxBytes = 64 * 1024;
const context = 3;
/** Equal lines that stay around the differing part: a change among lines that repeat may be found some lines further on. */
const margin = 100;
/**
 * Bounds the comparison itself, which holds up the whole worker: a change of more lines, or one that takes more comparisons
 * of lines to find, is not worth it. Counted and not timed, so that the same change has the same hunks on a busy machine.
 */
const most = { changedLines: 1_000, comparisons: 10_000_000 };

/** The differing stretches of two texts with three lines of context, or null when there are none or too many to carry. */
export function hunksOf(before: string | null, after: string | null): Hunk[] | null {
  if (before === null || after === null || before === after) return null;
  const { from, old, fresh, lineCount } = differingPart(before, after);
  const maxEditLength = Math.min(most.changedLines, Math.floor(most.comparisons / lineCount));
  const patch = structuredPatch("", "", old, fresh, undefined, undefined, { context, maxEditLength });
  if (patch === undefined) return null;
  const hunks = patch.hunks.map(({ oldStart, lines }) => ({
    startLine: from + oldStart,
    oldText: side(lines, "+"),
    newText: side(lines, "-"),
  }));
  return hunks.length > 0 && Buffer.byteLength(JSON.stringify(hunks)) <= maxBytes ? hunks : null;
}

/** What is left of two texts without the lines that both begin and end with, but for the context of a change. */
function differingPart(before: string, after: string) {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const [from, dropped] = [Math.max(0, head - margin), Math.max(0, tail - margin)];
  const part = (lines: string[]) => lines.slice(from, lines.length - dropped);
  const text = (lines: string[]) => part(lines).join("\n") + (dropped > 0 ? "\n" : "");
  return { from, old: text(old), fresh: text(fresh), lineCount: part(old).length + part(fresh).length };
}

/** The hunk's lines without those of the other side and without the "no newline" notes. */
function side(lines: readonly string[], other: "+" | "-"): string {
  return lines
    .filter((line) => !line.startsWith(other) && !line.startsWith("\\"))
    .map((line) => line.slice(1))
    .join("\n");
}
