import { posix } from "node:path";

/** How a path is shown: relative when it lies inside the workspace, otherwise as ripgrep gave it. */
export function shownPath(path: string, cwd: string): string {
  const inside = posix.relative(cwd, posix.resolve(cwd, path));
  return inside === "" || inside === ".." || inside.startsWith("../") ? path : inside;
}

/** The first part of a path below the search root: what "top-level entry" means for a sample. */
export function topLevelEntry(path: string, root: string, cwd: string): string {
  const below = posix.relative(posix.resolve(cwd, root), posix.resolve(cwd, path));
  const slash = below.indexOf("/");
  return slash === -1 ? below : below.slice(0, slash);
}
