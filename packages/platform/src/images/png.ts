import type { ImageHead } from "./image-type.ts";

/** Chunks that draw or place the picture; all others carry something about it. */
const plainChunks: ReadonlySet<string> = new Set(["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "sRGB", "gAMA", "pHYs", "bKGD"]);

/** @throws RangeError when cut */
export function pngHead(bytes: Buffer): ImageHead | null {
  if (bytes.toString("latin1", 12, 16) !== "IHDR" || bytes.readUInt32BE(8) !== 13) return null;
  const depth = bytes.readUInt8(24);
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), isPlain: depth <= 8 && hasPlainChunks(bytes) };
}

/** Every byte belongs to a known chunk and the end chunk is the end: nothing rides along. */
function hasPlainChunks(bytes: Buffer): boolean {
  let at = 8;
  while (at + 12 <= bytes.length) {
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (!plainChunks.has(type)) return false;
    at += 12 + bytes.readUInt32BE(at);
    if (type === "IEND") return at === bytes.length;
  }
  return false;
}
