import { requestSize } from "@gantry/contracts";
import { type EncodedImage, fitBytes } from "./fit-bytes.ts";
import { inTurn } from "./gate.ts";
import { openImage, toPixels } from "./pixels.ts";

export type RequestImage = EncodedImage;

/** What goes along with a model request at most (tools §10.2). */
const limits = { maxBytes: 1024 * 1024, qualities: [85, 80] } as const;

/** An admitted image in the size and weight of a model request; small ones as they are. @throws Error for bytes that are no admitted image */
export async function requestVariant(stored: EncodedImage): Promise<RequestImage> {
  const size = requestSize(stored);
  if (size.width === stored.width && size.height === stored.height && stored.bytes.length <= limits.maxBytes) return stored;
  return inTurn(async () => {
    const variant = await fitBytes(await toPixels(openImage(stored.bytes).resize(size.width, size.height, { fit: "fill" })), limits);
    if (!variant) throw new Error("an image does not fit into a request, however small");
    return variant;
  });
}
