/**
 * Whether a text fits a pattern in which `*` stands for any run of characters, and nothing else is special. The time grows with text and pattern, never with
 * their product: both may be a hostile org's (SC-R12).
 */
export function matchesPattern(text: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return text === pattern;
  if (!text.startsWith(first)) return false;
  const last = rest.pop() ?? "";
  let at = first.length;
  for (const part of rest) {
    const found = find(text, part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Up to this length the engine's own search is the faster one also at its worst. */
const shortPart = 8;

/** `indexOf` that looks at no character of the text twice (Knuth, Morris, Pratt): the engine's takes product time on repetitive texts. */
function find(text: string, part: string, from: number): number {
  if (part.length <= shortPart) return text.indexOf(part, from);
  const back = borders(part);
  let fitting = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (fitting > 0 && part.charCodeAt(fitting) !== code) fitting = back[fitting - 1] ?? 0;
    if (part.charCodeAt(fitting) === code) fitting += 1;
    if (fitting === part.length) return at - part.length + 1;
  }
  return -1;
}

/** For each beginning of `part`, how much of its end is a beginning too. */
function borders(part: string): Uint32Array {
  const back = new Uint32Array(part.length);
  for (let at = 1, length = 0; at < part.length; at += 1) {
    while (length > 0 && part.charCodeAt(at) !== part.charCodeAt(length)) length = back[length - 1] ?? 0;
    if (part.charCodeAt(at) === part.charCodeAt(length)) length += 1;
    back[at] = length;
  }
  return back;
}
