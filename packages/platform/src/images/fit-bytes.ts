import type { ImageMediaType } from "@gantry/contracts";
import type { Sharp } from "sharp";
import { timeoutSeconds } from "./gate.ts";
import { openPixels, type Pixels } from "./pixels.ts";

export type EncodedImage = { readonly bytes: Buffer; readonly mediaType: ImageMediaType; readonly width: number; readonly height: number };
export type FitOptions = {
  readonly maxBytes: number;
  /** tried one after the other before the picture is made smaller */
  readonly qualities: readonly number[];
  /** lossless first, as for drawings */
  readonly preferPng?: boolean;
};

const sampleSide = 128;
const lowColours = 256;
const shrinkBy = 0.9;

type Candidate = { readonly mediaType: ImageMediaType; readonly encode: (image: Sharp) => Sharp };

/** The best form of a picture within `maxBytes`; what comes later is tried only when all before was too large. Null when not even one pixel fits. */
export async function fitBytes(pixels: Pixels, options: FitOptions): Promise<EncodedImage | null> {
  const candidates = await candidatesFor(pixels, options);
  let { width, height } = pixels;
  for (;;) {
    for (const { mediaType, encode } of candidates) {
      const sized = openPixels(pixels).resize(width, height, { fit: "fill" });
      const bytes = await encode(sized).timeout({ seconds: timeoutSeconds }).toBuffer();
      if (bytes.length <= options.maxBytes) return { bytes, mediaType, width, height };
    }
    if (width === 1 && height === 1) return null;
    width = Math.max(1, Math.floor(width * shrinkBy));
    height = Math.max(1, Math.floor(height * shrinkBy));
  }
}

async function candidatesFor(pixels: Pixels, { qualities, preferPng }: FitOptions): Promise<Candidate[]> {
  const png: Candidate = { mediaType: "image/png", encode: (image) => image.png({ compressionLevel: 9 }) };
  const webp = qualities.map((quality): Candidate => ({ mediaType: "image/webp", encode: (image) => image.webp({ quality }) }));
  if (preferPng || (await isLowColour(pixels))) return [png, ...webp];
  if (hasAlpha(pixels)) return webp;
  return qualities.map((quality) => ({ mediaType: "image/jpeg", encode: (image) => image.jpeg({ quality, mozjpeg: true }) }));
}

async function isLowColour(pixels: Pixels): Promise<boolean> {
  const { data, info } = await openPixels(pixels)
    .resize(sampleSide, sampleSide, { fit: "inside", kernel: "nearest", withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const seen = new Set<string>();
  for (let at = 0; at < data.length && seen.size <= lowColours; at += info.channels)
    seen.add(data.toString("latin1", at, at + info.channels));
  return seen.size <= lowColours;
}

function hasAlpha({ data, channels }: Pixels): boolean {
  if (channels === 3) return false;
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true;
  return false;
}
