/** Puts values into the `{places}` of a text. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : place));
}

/** `one` for a single thing, else `many` with `{n}`. */
export const count = (n: number, one: string, many: string): string => (n === 1 ? one : fill(many, { n }));
