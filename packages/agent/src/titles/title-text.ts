import { stripVTControlCharacters } from "node:util";

/** No title is longer, whoever gave it: UTF-8 bytes (TTL-1). */
export const maxTitleBytes = 80;

/** A title without control, escape and direction characters, on one line, cut at a code point within the byte limit (TTL-1). */
export function cleanTitle(text: string, { maxWords, maxBytes }: { maxWords?: number; maxBytes: number }): string {
  const plain = stripVTControlCharacters(text).replace(/[\p{Cc}\p{Cf}]/gu, (char) => (/\s/.test(char) ? " " : ""));
  const words = plain.trim().split(/\s+/).slice(0, maxWords).join(" ");
  let title = "";
  for (const char of words) {
    if (Buffer.byteLength(title + char) > maxBytes) break;
    title += char;
  }
  return title.trim();
}
