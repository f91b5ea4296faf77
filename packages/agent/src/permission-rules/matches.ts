import { posix } from "node:path";

/** Every string of the arguments, at any depth; text that is no JSON is one. */
export function* stringsOf(args: unknown): Generator<string> {
  const open: unknown[] = [args];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string") yield value;
    else if (typeof value === "object" && value !== null) open.push(...Object.values(value));
  }
}

/** Where relative paths of a call start (tools §9). */
const workspace = "/workspace";
/** Of {@link subjects} and beside them, those that name a place. */
const pathKeys = ["file_path", "path", "workdir"] as const;

/** The places that a call names, each spelled from the root and, inside the workspace, from there: a rule holds for the file, however it is written. */
export const placesOf = (args: unknown): string[] =>
  pathKeys.flatMap((key) => {
    const path = ownOf(args)[key];
    return typeof path === "string" && path !== "" ? spellings(path) : [];
  });

/** No file system takes a longer one. */
const maxPathChars = 4_096;

function spellings(path: string): string[] {
  if (path.length > maxPathChars) return [path];
  const absolute = posix.resolve(workspace, path);
  return absolute.startsWith(`${workspace}/`) ? [absolute, absolute.slice(workspace.length + 1)] : [absolute];
}

/** Arguments that say what a call works on; beside them a model writes what it likes. */
const subjects = ["command", "file_path", "path", "pattern", "query", "url"] as const;
/** One command line that is several, that writes and reads beside its arguments, or whose text makes another: all that `$` does but a plain variable. */
const severalCommands = /[;&|<>`\n\r]|\$[^\w\s]/;
/** Goes up, and behind a link that is another place than the text says. */
const goesUp = /(^|\/)\.\.(\/|$)/;

/**
 * Whether all that a call works on fits, as a rule asks that lets it pass: its subjects, else each of its strings. A command line of several commands fits no
 * pattern, for the star would stand for the others, and no more does a path that goes up.
 */
export function allFit(args: unknown, fits: (text: string) => boolean): boolean {
  const own = ownOf(args);
  if (typeof own.command === "string" && severalCommands.test(own.command)) return false;
  const named = subjects.filter((key) => typeof own[key] === "string");
  if (named.length > 0) return named.every((key) => subjectFits(key, own[key] as string, fits));
  const texts = [...stringsOf(own)];
  return texts.length > 0 && texts.every(fits);
}

function subjectFits(key: string, text: string, fits: (text: string) => boolean): boolean {
  if (!(pathKeys as readonly string[]).includes(key)) return fits(text);
  return !goesUp.test(text) && spellings(text).some(fits);
}

const ownOf = (args: unknown): Record<string, unknown> =>
  typeof args === "object" && args !== null ? (args as Record<string, unknown>) : {};
