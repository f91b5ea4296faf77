import type { InstructionFile } from "./frame.ts";

/** Cuts the texts to `maxBytes` together; the last, most specific ones are kept whole first (AG-084). What gets no room at all is left out. */
export function withinBudget(files: readonly { path: string; text: string }[], maxBytes: number): InstructionFile[] {
  let left = maxBytes;
  const kept: InstructionFile[] = [];
  for (const { path, text } of files.toReversed()) {
    const bytes = Buffer.byteLength(text);
    if (left <= 0) break;
    kept.unshift(bytes <= left ? { path, text, isCut: false } : { path, text: startOf(text, left), isCut: true });
    left -= bytes;
  }
  return kept;
}

/** The longest start of at most so many bytes that cuts no character in half. */
function startOf(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text).subarray(0, maxBytes);
  return new TextDecoder("utf-8").decode(bytes).replace(/\uFFFD$/, "");
}
