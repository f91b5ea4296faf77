/** A reference, or whatever stands between `{{` and the next `}}`. */
const reference = /\{\{(.*?)\}\}/gs;
const variableName = /^[a-z][a-z0-9_]*$/;

/**
 * Replaces each `{{name}}` by its value, verbatim: a value that looks like a reference is not read again. A `{{` that nothing closes
 * is plain text. @throws Error naming the section, for an unknown, malformed or valueless reference (P-7)
 */
export async function interpolate(
  text: string,
  section: string,
  value: (name: string) => Promise<string | undefined> | undefined,
): Promise<string> {
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(reference)) {
    const name = match[1] ?? "";
    if (!variableName.test(name)) throw new Error(`prompt section "${section}" has the malformed reference "${match[0]}"`);
    const pending = value(name);
    if (pending === undefined) throw new Error(`prompt section "${section}" refers to the unknown variable "${name}"`);
    const found = await pending;
    if (found === undefined) throw new Error(`prompt section "${section}" refers to "${name}", which has no value here`);
    parts.push(text.slice(end, match.index), found);
    end = match.index + match[0].length;
  }
  return parts.join("") + text.slice(end);
}
