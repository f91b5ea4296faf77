import { z } from "zod";

/** What images are stored as; a GIF, or anything animated, becomes the PNG of its first frame. */
export const ImageMediaType = z.enum(["image/png", "image/jpeg", "image/webp"]);
export type ImageMediaType = z.infer<typeof ImageMediaType>;

const mib = 1024 * 1024;
/** Bounds of what a message may carry (tools §2, §10.1). Bytes are those of the upload, before it is made smaller. */
export const attachmentLimits = {
  perMessage: 20,
  maxImageBytes: 20 * mib,
  maxTextBytes: mib,
  /** pixels of one side, and of the whole picture */
  maxSide: 8_192,
  maxPixels: 64_000_000,
  maxNameChars: 200,
} as const;

/** Pixels of an image as it goes along with a request (tools §10.2). */
const maxRequestPixels = 640_000;

export type ImageSize = { readonly width: number; readonly height: number };

/** The size at which an image goes along with a request: never larger than it is. */
export function requestSize({ width, height }: ImageSize): ImageSize {
  const scale = Math.min(1, Math.sqrt(maxRequestPixels / (width * height)));
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}

/** Tokens of an image in a request by rule of thumb (TOK-1), its describing line included: vendors charge by area. */
export function imageTokens(image: ImageSize): number {
  const { width, height } = requestSize(image);
  return Math.ceil((width * height) / 750) + 24;
}
