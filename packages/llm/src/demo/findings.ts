import type { DemoResult } from "./turn-view.ts";

/** What the tour really saw, read from its tool results. */
export type Findings = {
  readonly files: readonly string[];
  /** how many there are in all; the listing of a large workspace is cut */
  readonly total: number;
  /** `ts 12`, most frequent first */
  readonly kinds: readonly string[];
  readonly folders: readonly string[];
  readonly commits: readonly string[];
  readonly packageLine: string | null;
  readonly listingFailed: boolean;
  /** an earlier session of the demo was here */
  readonly hasNotes: boolean;
};

export const notesFile = "GANTRY_NOTES.md";
export const look = "git log --oneline -n 5 2>/dev/null || echo 'no commits'; test -f package.json && head -c 2000 package.json; true";

export function findingsOf(results: readonly DemoResult[]): Findings {
  const glob = results.find((result) => result.name === "glob");
  const files = glob && !glob.isError ? pathsOf(glob.text) : [];
  const hasNotes = glob?.text.split("\n").some((line) => pathOf(line) === notesFile) ?? false;
  const shell = results.find((result) => result.name === "bash")?.text ?? "";
  return {
    files,
    total: totalOf(glob?.text ?? "", files.length),
    kinds: kindsOf(files),
    folders: [...new Set(files.flatMap((file) => (file.includes("/") ? [file.slice(0, file.indexOf("/"))] : [])))].slice(0, 12),
    commits: shell.split("\n").filter((line) => /^[0-9a-f]{7,40} \S/.test(line)),
    packageLine: packageLine(shell),
    listingFailed: !glob || glob.isError,
    hasNotes,
  };
}

function pathsOf(listing: string): string[] {
  if (listing.trim() === "No files found") return [];
  const lines = listing.split("\n").map(pathOf);
  return lines.filter((line) => line !== "" && !line.startsWith("(") && line !== notesFile);
}

const pathOf = (line: string): string => line.trim().replace(/^\.\//, "");

function totalOf(listing: string, listed: number): number {
  const total = Number(/^\(Showing \d+ of (\d+) paths/m.exec(listing)?.[1] ?? 0);
  return Math.max(total, listed);
}

function kindsOf(files: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const kind = /[^/]\.([A-Za-z0-9]{1,8})$/.exec(file)?.[1]?.toLowerCase() ?? "other";
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const ordered = [...counts].sort(([a, x], [b, y]) => y - x || a.localeCompare(b));
  return ordered.slice(0, 6).map(([kind, count]) => `${kind} ${count}`);
}

function packageLine(shell: string): string | null {
  const found = /"name"\s*:\s*"([^"\n]{1,100})"/.exec(shell)?.[1];
  if (!found) return null;
  const scripts = /"scripts"\s*:\s*\{([^}]*)\}/.exec(shell)?.[1] ?? "";
  const names = [...scripts.matchAll(/"([^"]+)"\s*:/g)].map((match) => match[1]);
  return names.length > 0 ? `${found}, scripts: ${names.slice(0, 8).join(", ")}` : found;
}

/** The findings as lines of a list, for the notes and for the summary. */
export function findingLines(found: Findings): string[] {
  if (found.listingFailed) return ["The files could not be listed."];
  if (found.files.length === 0)
    return [found.hasNotes ? `The workspace holds nothing but the ${notesFile} of an earlier session.` : "The workspace is empty."];
  return [
    `Files seen: ${found.files.length}${found.total > found.files.length ? ` of ${found.total}` : ""} (${found.kinds.join(", ")})`,
    ...(found.folders.length > 0 ? [`Top-level folders with files: ${found.folders.join(", ")}`] : []),
    ...(found.packageLine ? [`Package: ${found.packageLine}`] : []),
    found.commits.length > 0 ? `Last commit: ${found.commits[0]}` : "No commits found.",
  ];
}
