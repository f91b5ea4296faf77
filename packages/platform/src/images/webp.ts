import type { ImageHead } from "./image-type.ts";

const alphaFlag = 0x10;

/** Simple files hold one bitstream; extended ones a canvas and flags for what else there is. @throws RangeError when cut */
export function webpHead(bytes: Buffer): ImageHead | null {
  const kind = bytes.toString("latin1", 12, 16);
  const isWhole = bytes.readUInt32LE(4) + 8 === bytes.length;
  if (kind === "VP8 ") {
    if (bytes.readUIntBE(23, 3) !== 0x9d012a) return null;
    return {
      width: bytes.readUInt16LE(26) & 0x3fff,
      height: bytes.readUInt16LE(28) & 0x3fff,
      isPlain: isWhole && hasOnly(bytes, ["VP8 "]),
    };
  }
  if (kind === "VP8L") {
    if (bytes.readUInt8(20) !== 0x2f) return null;
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, isPlain: isWhole && hasOnly(bytes, ["VP8L"]) };
  }
  if (kind !== "VP8X") return null;
  const isStill = (bytes.readUInt8(20) & ~alphaFlag) === 0;
  const size = { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  return { ...size, isPlain: isWhole && isStill && hasOnly(bytes, ["VP8X", "ALPH", "VP8 ", "VP8L"]) };
}

function hasOnly(bytes: Buffer, kinds: readonly string[]): boolean {
  let at = 12;
  while (at + 8 <= bytes.length) {
    if (!kinds.includes(bytes.toString("latin1", at, at + 4))) return false;
    const size = bytes.readUInt32LE(at + 4);
    at += 8 + size + (size % 2); // chunks begin at even places
  }
  return at === bytes.length;
}
