import { attachmentLimits } from "@gantry/contracts";
import sharp, { type Sharp } from "sharp";
import { timeoutSeconds } from "./gate.ts";

/** Decoded 8-bit sRGB, three channels or four. */
export type Pixels = { readonly data: Buffer; readonly width: number; readonly height: number; readonly channels: 3 | 4 };

/** Opens bytes for decoding: first frame only, broken data is an error, the pixel limit holds before anything is decoded. */
export const openImage = (bytes: Buffer): Sharp =>
  sharp(bytes, { limitInputPixels: attachmentLimits.maxPixels, failOn: "error", sequentialRead: true, pages: 1 });

export const openPixels = ({ data, width, height, channels }: Pixels): Sharp => sharp(data, { raw: { width, height, channels } });

export async function toPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image
    .toColourspace("srgb")
    .timeout({ seconds: timeoutSeconds })
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3 && info.channels !== 4) throw new Error(`an image with ${info.channels} channels`);
  return { data, width: info.width, height: info.height, channels: info.channels };
}
