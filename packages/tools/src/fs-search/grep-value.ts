import { z } from "zod";
import type { Stored } from "../spill/seam.ts";
import { recoveryClause } from "./recovery.ts";

const file = z.object({ path: z.string(), matches: z.array(z.object({ lineNumber: z.number(), line: z.string() })) });
export type GrepFile = z.infer<typeof file>;

/** Every matching line by file, files in the order ripgrep met them. */
export const GrepValue = z.object({ total: z.number(), files: z.array(file) });
export type GrepValue = z.infer<typeof GrepValue>;

/** The first `max` matches, by file. */
export function grepPage({ files }: GrepValue, max: number): GrepFile[] {
  const page: GrepFile[] = [];
  let left = max;
  for (const { path, matches } of files) {
    if (left === 0) break;
    page.push({ path, matches: matches.slice(0, left) });
    left -= Math.min(left, matches.length);
  }
  return page;
}

export function renderGrep(value: GrepValue, max: number, stored?: Stored): string {
  if (value.total === 0) return "No matches found";
  const capped = value.total > max;
  const head = capped ? `Found ${max} of ${value.total} matches` : `Found ${value.total} ${value.total === 1 ? "match" : "matches"}`;
  const body = grepPage(value, max).map(({ path, matches }) =>
    [path, ...matches.map(({ lineNumber, line }) => `Line ${lineNumber}: ${line}`)].join("\n"),
  );
  const parts = [head, ...body];
  if (capped)
    parts.push(stored ? `(Full grep result stored at: ${stored.locator}. ${stored.hint})` : `(${recoveryClause("grep result", stored)})`);
  return parts.join("\n\n");
}
