import { catalogData } from "../catalog/index.ts";
import type { Disposition } from "./disposition.ts";
import { harnessRows } from "./harness.ts";
import { pagesRows } from "./pages.ts";
import { runtimeRows } from "./runtime.ts";
import { surfaceRows } from "./surface.ts";

/** What became of each of the 190 top-level rows of the original's web profile; the rows inside its presets are compared with our presets themselves. */
export const dispositions: readonly Disposition[] = [...runtimeRows, ...harnessRows, ...surfaceRows, ...pagesRows].map((row) => ({
  ...row,
  state: row.state ?? stateOf(row.plugins ?? []),
}));

/** Plugins say themselves whether they have code, so a row's state changes with the catalogue. */
function stateOf(plugins: readonly string[]): "ours" | "planned" {
  return plugins.length > 0 && plugins.every((name) => catalogData.find(name)?.planned !== true) ? "ours" : "planned";
}
