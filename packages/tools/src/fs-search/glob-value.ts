import { z } from "zod";
import type { Stored } from "../spill/seam.ts";
import { shownPath, topLevelEntry } from "./paths.ts";
import { recoveryClause } from "./recovery.ts";
import { sampleAcross } from "./sample.ts";

/** All matching paths, oldest change first, as shown to the model. `cwd` is what relative ones start from. */
export const GlobValue = z.object({ root: z.string(), cwd: z.string(), paths: z.array(z.string()) });
export type GlobValue = z.infer<typeof GlobValue>;

export type GlobDisplay = { maxPaths: number; sampleOverCapGlobResults: boolean };

export function globPaths(stdout: string, cwd: string): string[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => shownPath(line, cwd));
}

/** The page of paths a call shows, and its footer when there are more. Pure. */
export function globPage({ root, cwd, paths }: GlobValue, display: GlobDisplay): { paths: string[]; footer?: (stored?: Stored) => string } {
  const { maxPaths, sampleOverCapGlobResults } = display;
  const total = paths.length;
  if (total <= maxPaths) return { paths: [...paths] };
  const plain = (stored?: Stored) => `(Showing ${maxPaths} of ${total} paths. ${recoveryClause("list", stored)})`;
  if (!sampleOverCapGlobResults) return { paths: paths.slice(0, maxPaths), footer: plain };
  const sample = sampleAcross(paths, (path) => topLevelEntry(path, root, cwd), maxPaths);
  if (sample.entries === total) return { paths: sample.paths, footer: plain };
  const across = `sampled across ${sample.sampled} of the ${sample.entries} top-level entries`;
  const advice = sample.sampled < sample.entries ? " Give a narrower path to see the others." : "";
  return {
    paths: sample.paths,
    footer: (stored) => `(Showing ${sample.paths.length} of ${total} paths, ${across}.${advice} ${recoveryClause("list", stored)})`,
  };
}

export function renderGlob(value: GlobValue, display: GlobDisplay, stored?: Stored): string {
  if (value.paths.length === 0) return "No files found";
  const { paths, footer } = globPage(value, display);
  return footer ? `${paths.join("\n")}\n\n${footer(stored)}` : paths.join("\n");
}
