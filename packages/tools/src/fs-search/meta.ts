import type { GlobDisplay, GlobValue } from "./glob-value.ts";
import { globPage } from "./glob-value.ts";
import { type GrepFile, type GrepValue, grepPage } from "./grep-value.ts";

/** Serialised bytes of a search result's card data. */
const maxBytes = 65_536;

/** Card data of a glob result: the page the text shows, cut from its end until it fits. */
export function globMeta(value: GlobValue, display: GlobDisplay) {
  const page = globPage(value, display).paths;
  const total = value.paths.length;
  const paths = fitting(page, 1, (kept) => ({ shape: "paths", paths: kept, total, truncated: true }));
  return { shape: "paths" as const, paths, total, truncated: paths.length < total };
}

/** Card data of a grep result: as `globMeta`, by file; one file that is too large alone is kept. */
export function grepMeta(value: GrepValue, maxMatches: number) {
  const page: GrepFile[] = grepPage(value, maxMatches);
  const files = fitting(page, 1, (kept) => ({ shape: "matches", files: kept, total: value.total, truncated: true }));
  const shown = files.reduce((sum, file) => sum + file.matches.length, 0);
  return { shape: "matches" as const, files, total: value.total, truncated: shown < value.total };
}

/** The longest head of `items`, of at least `least`, whose card data fits. */
function fitting<T>(items: readonly T[], least: number, card: (kept: readonly T[]) => object): T[] {
  const fits = (count: number) => Buffer.byteLength(JSON.stringify(card(items.slice(0, count)))) <= maxBytes;
  let count = items.length;
  while (count > least && !fits(count)) count--;
  return items.slice(0, count);
}
