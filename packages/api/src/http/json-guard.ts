import { AppError } from "@gantry/contracts";

const maxDepth = 64;
const maxKeys = 10_000;

/**
 * Refuses JSON that is cheap to send and expensive to walk, before it is parsed: deep nesting overflows stacks, many keys eat memory (SC-R13).
 * One pass over the text; commas are counted with the keys, so long arrays are bounded too. @throws BAD_REQUEST
 */
export function guardJson(text: string): void {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x22) at = endOfString(text, at);
    else if (char === 0x5b || char === 0x7b) depth++;
    else if (char === 0x5d || char === 0x7d) depth--;
    else if (char === 0x2c || char === 0x3a) parts++;
    if (depth > maxDepth || parts > 2 * maxKeys) throw new AppError("BAD_REQUEST", "The request nests too deep or has too many parts.");
  }
}

/** Position of the quote that ends the string which starts at `start`; the end of the text when none does. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x5c) at++;
    else if (char === 0x22) return at;
  }
  return text.length;
}
