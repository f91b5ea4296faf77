/** What a screen does not show or shows in another place: controls and terminal escapes, zero-width characters, marks that turn text around. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

/** A text as whoever decides on it has to see it: everything hidden as an escape (SC-P2). Line breaks and tabs stay. */
export function visibleText(text: string): string {
  return text.replace(hidden, (char) => (char === "\n" || char === "\t" ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`));
}
