import { imageTokens, type TextBlock, type ToolContentBlock } from "@gantry/contracts";
import type { Stored } from "./seam.ts";

const gap = "\n\n[...]\n\n";

/** Estimated tokens of blocks (TOK-1): a quarter of the UTF-16 units, or the price of an image, and four for the block. */
export const tokensOf = (content: readonly ToolContentBlock[]): number =>
  content.reduce((sum, block) => sum + (block.type === "text" ? Math.ceil(block.text.length / 4) : imageTokens(block)) + 4, 0);

/** Head, tail and where the whole is, in at most `maxTokens`; null when not even the place fits. No character is cut in half. */
export function shorten(text: string, stored: Stored, maxTokens: number): TextBlock | null {
  const room = (maxTokens - 4) * 4;
  const footerOf = (kept: number) => {
    const omitted = Buffer.byteLength(text) - kept;
    return `(Omitted ${omitted} bytes. Full formatted result stored at: ${stored.locator}. ${stored.hint})`;
  };
  const alone = footerOf(0); // the longest there is: everything is omitted
  if (alone.length > room) return null;
  const half = Math.floor((room - alone.length - "\n\n".length - gap.length) / 2);
  if (half <= 0) return { type: "text", text: alone };
  const head = wholeStart(text, half);
  const tail = wholeEnd(text, half);
  return { type: "text", text: `${head}${gap}${tail}\n\n${footerOf(Buffer.byteLength(head) + Buffer.byteLength(tail))}` };
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

const wholeStart = (text: string, units: number): string => text.slice(0, isHigh(text.charCodeAt(units - 1)) ? units - 1 : units);
const wholeEnd = (text: string, units: number): string =>
  text.slice(isLow(text.charCodeAt(text.length - units)) ? text.length - units + 1 : text.length - units);
