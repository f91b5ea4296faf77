import { gifHead } from "./gif.ts";
import type { AnyImageType, ImageHead } from "./image-type.ts";
import { jpegHead } from "./jpeg.ts";
import { pngHead } from "./png.ts";
import { webpHead } from "./webp.ts";

const readers: { readonly [T in AnyImageType]: (bytes: Buffer) => ImageHead | null } = {
  "image/png": pngHead,
  "image/jpeg": jpegHead,
  "image/webp": webpHead,
  "image/gif": gifHead,
};

/** Reads the structure of an image; null for one that is broken before its size is known. Never throws. */
export function imageHead(bytes: Buffer, type: AnyImageType): ImageHead | null {
  try {
    const head = readers[type](bytes);
    return head && head.width > 0 && head.height > 0 ? head : null;
  } catch (error) {
    if (error instanceof RangeError) return null; // a length that points behind the end
    throw error;
  }
}
