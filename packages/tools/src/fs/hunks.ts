import { structuredPatch } from "diff";
import { z } from "zod";

/** One changed stretch with its context lines: line `startLine` of the old text on. */
export const Hunk = z.object({ startLine: z.number(), oldText: z.string(), newText: z.string() });
export type Hunk = z.infer<typeof Hunk>;

/** Serialised bytes of hunks that travel with a result; a larger change is shown from the call's own arguments. */
const maxBytes = 64 * 1024;
/** Bounds the comparison itself, which holds up the whole worker: a change beyond either (lines, milliseconds) is not worth it. */
const comparison = { context: 3, maxEditLength: 2_000, timeout: 50 };

/** The differing stretches of two texts with three lines of context, or null when there are none or too many to carry. */
export function hunksOf(before: string | null, after: string | null): Hunk[] | null {
  if (before === null || after === null || before === after) return null;
  const patch = structuredPatch("", "", before, after, undefined, undefined, comparison);
  if (patch === undefined) return null;
  const hunks = patch.hunks.map(({ oldStart, lines }) => ({
    startLine: oldStart,
    oldText: side(lines, "+"),
    newText: side(lines, "-"),
  }));
  return hunks.length > 0 && Buffer.byteLength(JSON.stringify(hunks)) <= maxBytes ? hunks : null;
}

/** The hunk's lines without those of the other side and without the "no newline" notes. */
function side(lines: readonly string[], other: "+" | "-"): string {
  return lines
    .filter((line) => !line.startsWith(other) && !line.startsWith("\\"))
    .map((line) => line.slice(1))
    .join("\n");
}
