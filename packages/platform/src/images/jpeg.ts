import type { ImageHead } from "./image-type.ts";

/** Frame headers, from SOF0 to SOF15; the three between them that are something else left out. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Tables, restart interval, scans. */
const isTable = (marker: number): boolean => isFrame(marker) || [0xc4, 0xda, 0xdb, 0xdd].includes(marker);
/** The two application segments that say how colours are coded, bare: JFIF without a small picture, which may be of what was cut away since, and Adobe. Sizes in bytes. */
const colourSegments: { readonly [marker: number]: { readonly name: string; readonly size: number } } = {
  224: { name: "JFIF\0", size: 16 },
  238: { name: "Adobe", size: 14 },
};
const startOfScan = 0xda;
const endOfImage = 0xd9;

/** @throws RangeError when cut before the size is known */
export function jpegHead(bytes: Buffer): ImageHead | null {
  let frame: Omit<ImageHead, "isPlain"> | null = null;
  let isPlain = true;
  let at = 2;
  for (;;) {
    if (frame && at + 4 > bytes.length) return { ...frame, isPlain: isPlain && isEnd(bytes, at) };
    while (bytes.readUInt8(at) === 0xff && bytes.readUInt8(at + 1) === 0xff) at++; // fill bytes
    if (bytes.readUInt8(at) !== 0xff) return frame && { ...frame, isPlain: false };
    const marker = bytes.readUInt8(at + 1);
    if (marker === endOfImage) return frame && { ...frame, isPlain: isPlain && isEnd(bytes, at) };
    isPlain &&= isTable(marker) || isColourSegment(bytes, at);
    if (isFrame(marker)) {
      frame ??= { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
      isPlain &&= bytes.readUInt8(at + 4) === 8 && bytes.readUInt8(at + 9) <= 3; // four components are ink
    }
    if (frame && !isPlain) return { ...frame, isPlain };
    at += 2 + bytes.readUInt16BE(at + 2);
    if (marker === startOfScan) at = endOfScan(bytes, at);
  }
}

function isColourSegment(bytes: Buffer, at: number): boolean {
  const { name, size } = colourSegments[bytes.readUInt8(at + 1)] ?? {};
  return name !== undefined && bytes.readUInt16BE(at + 2) === size && bytes.toString("latin1", at + 4, at + 4 + name.length) === name;
}

const isEnd = (bytes: Buffer, at: number): boolean => at + 2 === bytes.length && bytes.readUInt16BE(at) === 0xffd9;

/** Coded data goes on to the next marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes.readUInt8(at + 1);
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}
