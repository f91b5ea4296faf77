/** Whether a text fits a pattern in which `*` stands for any run of characters, and nothing else is special. Linear in both. */
export function matchesPattern(text: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return text === pattern;
  if (!text.startsWith(first)) return false;
  const last = rest.pop() ?? "";
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Every string of the arguments, at any depth; text that is no JSON is one. */
export function* stringsOf(args: unknown): Generator<string> {
  const open: unknown[] = [args];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string") yield value;
    else if (typeof value === "object" && value !== null) open.push(...Object.values(value));
  }
}
