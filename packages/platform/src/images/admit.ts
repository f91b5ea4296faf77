import { AppError, attachmentLimits, ImageMediaType, type ImageSize } from "@gantry/contracts";
import { type EncodedImage, fitBytes } from "./fit-bytes.ts";
import { inTurn, timeoutSeconds } from "./gate.ts";
import { imageHead } from "./head.ts";
import { type AnyImageType, type ImageHead, imageTypeOf } from "./image-type.ts";
import { openImage, toPixels } from "./pixels.ts";

/** `original`: the upright size of what was given, where what is kept is smaller. */
export type AdmittedImage = EncodedImage & { readonly original?: ImageSize };

/** What an image is kept as (tools §10.1). */
const keptSide = 2_048;
const kept = { maxBytes: 4 * 1024 * 1024, qualities: [85, 80, 75] } as const;

/**
 * Takes an image in: upright, without metadata, 8-bit sRGB, still, at most 2,048 pixels long and 4 MiB. One that is all that already stays byte for
 * byte. Sizes are checked before anything is decoded, and everything is decoded once.
 * @param expected the format that its name promises
 * @throws AppError UNSUPPORTED_IMAGE_TYPE, IMAGE_TYPE_MISMATCH, IMAGE_TOO_LARGE, IMAGE_DIMENSION_TOO_LARGE, IMAGE_TOO_MANY_PIXELS, INVALID_IMAGE
 */
export async function admitImage(bytes: Buffer, { expected }: { expected?: AnyImageType } = {}): Promise<AdmittedImage> {
  const { maxImageBytes } = attachmentLimits;
  if (bytes.length > maxImageBytes)
    throw new AppError("IMAGE_TOO_LARGE", `The image has ${bytes.length} bytes; the limit is ${maxImageBytes}. Make it smaller.`);
  const type = imageTypeOf(bytes);
  if (!type) throw new AppError("UNSUPPORTED_IMAGE_TYPE", "This is no PNG, JPEG, WebP or GIF image. Convert it to one of these.");
  if (expected && expected !== type) throw mismatch(type, expected);
  const head = imageHead(bytes, type);
  if (!head) throw invalid();
  assertSize(head);
  try {
    return await inTurn(() => (mayStay(bytes, type, head) ? checked(bytes, type, head) : normalised(bytes, type)));
  } catch (cause) {
    throw cause instanceof AppError ? cause : invalid(cause);
  }
}

function assertSize({ width, height }: ImageSize): void {
  const { maxSide, maxPixels } = attachmentLimits;
  if (Math.max(width, height) > maxSide)
    throw new AppError(
      "IMAGE_DIMENSION_TOO_LARGE",
      `The image is ${width} × ${height} pixels; the limit of a side is ${maxSide}. Make it smaller.`,
    );
  if (width * height > maxPixels)
    throw new AppError("IMAGE_TOO_MANY_PIXELS", `The image has ${width * height} pixels; the limit is ${maxPixels}. Make it smaller.`);
}

const mayStay = (bytes: Buffer, type: AnyImageType, head: ImageHead): type is ImageMediaType =>
  head.isPlain && ImageMediaType.safeParse(type).success && Math.max(head.width, head.height) <= keptSide && bytes.length <= kept.maxBytes;

/** The bytes as they are, once they have proved to be what their head says. */
async function checked(bytes: Buffer, mediaType: ImageMediaType, { width, height }: ImageHead): Promise<AdmittedImage> {
  const { info } = await openImage(bytes).timeout({ seconds: timeoutSeconds }).raw().toBuffer({ resolveWithObject: true });
  if (info.width !== width || info.height !== height) throw invalid();
  return { bytes, mediaType, width, height };
}

async function normalised(bytes: Buffer, type: AnyImageType): Promise<AdmittedImage> {
  const { autoOrient, pages = 1 } = await openImage(bytes).metadata();
  assertSize(autoOrient); // the decoder's own word on it
  const upright = openImage(bytes).autoOrient();
  const pixels = await toPixels(upright.resize(keptSide, keptSide, { fit: "inside", withoutEnlargement: true }));
  const image = await fitBytes(pixels, { ...kept, preferPng: type === "image/gif" || pages > 1 });
  if (!image) throw new AppError("IMAGE_TOO_LARGE", "The image cannot be made small enough to keep. Use another one.");
  const isSmaller = image.width !== autoOrient.width || image.height !== autoOrient.height;
  return { ...image, ...(isSmaller ? { original: { width: autoOrient.width, height: autoOrient.height } } : {}) };
}

function mismatch(type: AnyImageType, expected: AnyImageType): AppError {
  const [is, named] = [type, expected].map((word) => word.slice("image/".length));
  return new AppError("IMAGE_TYPE_MISMATCH", `The name says ${named}, but the content is ${is}. Rename the file to end in .${is}.`);
}

const invalid = (cause?: unknown): AppError =>
  new AppError("INVALID_IMAGE", "The image is damaged or cut off, and cannot be read. Save it again and try once more.", { cause });
