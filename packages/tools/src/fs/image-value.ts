import { ImageBlock, type ToolContentBlock } from "@gantry/contracts";
import { z } from "zod";
import { fileEnvelope } from "./envelope.ts";

const Size = z.object({ width: z.number(), height: z.number() });

/** An image as it is kept: `bytes` and the block's pixels are of the kept one, `original` of the file, where that was larger. */
export const ImageValue = z.object({
  path: z.string(),
  bytes: z.number(),
  attachmentId: z.string(),
  mediaType: z.enum(["image/png", "image/jpeg", "image/webp"]),
  width: z.number(),
  height: z.number(),
  name: z.string().optional(),
  original: Size.optional(),
});
export type ImageValue = z.infer<typeof ImageValue>;

export const imageBlock = ({ attachmentId, mediaType, width, height, name }: ImageValue): ImageBlock =>
  ImageBlock.parse({ type: "image", attachmentId, mediaType, width, height, ...(name === undefined ? {} : { name }) });

export function renderImage(value: ImageValue): ToolContentBlock[] {
  const { path, mediaType, width, height, bytes } = value;
  const body = `${mediaType} image, ${width}x${height} px, ${bytes} bytes${scaleNote(value)}`;
  return [{ type: "text", text: fileEnvelope(path, body, "image") }, imageBlock(value)];
}

/** How a place in the shown image becomes one in the file. */
function scaleNote({ width, height, original }: ImageValue): string {
  if (!original) return "";
  const [x, y] = [(original.width / width).toFixed(2), (original.height / height).toFixed(2)];
  const factors = x === y ? `multiply coordinates by ${x}` : `multiply x coordinates by ${x} and y coordinates by ${y}`;
  return `\n(downscaled from ${original.width}x${original.height}; ${factors} for places in the file)`;
}
