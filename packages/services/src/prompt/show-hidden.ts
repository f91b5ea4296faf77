/** What a screen does not show or shows in another place: controls and terminal escapes, zero-width characters, variation selectors, marks that turn text around, unassigned characters. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;

/** A text as whoever decides on it has to see it: everything hidden is written as an escape (SC-P2). Line breaks and tabs stay. */
export function showHidden(text: string): string {
  return text.replace(hidden, (char) => (char === "\n" || char === "\t" ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`));
}
