import type { ImageHead } from "./image-type.ts";

/** The logical screen. A GIF is never kept as it is. @throws RangeError when cut */
export const gifHead = (bytes: Buffer): ImageHead => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), isPlain: false });
