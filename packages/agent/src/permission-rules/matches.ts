/** Every string of the arguments, at any depth; text that is no JSON is one. */
export function* stringsOf(args: unknown): Generator<string> {
  const open: unknown[] = [args];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string") yield value;
    else if (typeof value === "object" && value !== null) open.push(...Object.values(value));
  }
}
