/** Every string of the arguments, at any depth; text that is no JSON is one. */
export function* stringsOf(args: unknown): Generator<string> {
  const open: unknown[] = [args];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string") yield value;
    else if (typeof value === "object" && value !== null) open.push(...Object.values(value));
  }
}

/** Arguments that say what a call works on; beside them a model writes what it likes. */
const subjects = ["command", "file_path", "path", "pattern", "query", "url"] as const;
/** One command line that is several, or that writes and reads beside its arguments. */
const severalCommands = /[;&|<>`\n\r]|\$\(/;

/**
 * Whether all that a call works on fits, as a rule asks that lets it pass: its subjects, else each of its strings. A command line of several commands fits no
 * pattern, for the star would stand for the others.
 */
export function allFit(args: unknown, fits: (text: string) => boolean): boolean {
  const own = typeof args === "object" && args !== null ? (args as Record<string, unknown>) : {};
  const named = subjects.flatMap((key) => (typeof own[key] === "string" ? [own[key]] : []));
  const texts = named.length > 0 ? named : [...stringsOf(own)];
  if (typeof own.command === "string" && severalCommands.test(own.command)) return false;
  return texts.length > 0 && texts.every(fits);
}
