import type { Context } from "@gantry/kernel";
import { z } from "zod";
import "../attachments/events.ts";
import { droppedImages } from "./dropped-images.ts";

export const name = "image-offload";
export const inject = ["attachments"];
/** When a budget is exceeded, images go until it has a quantum of room. Bytes are those of base64, as a request carries them. */
export const Config = z.strictObject({
  maxImages: z.number().int().positive().default(600),
  imageQuantum: z.number().int().positive().default(20),
  maxInlineBytes: z
    .number()
    .int()
    .positive()
    .default(20 * 1024 * 1024),
  inlineQuantumBytes: z
    .number()
    .int()
    .positive()
    .default(10 * 1024 * 1024),
});

/** Leaves the oldest images out of requests that carry too many (PRN-2, tools §10.2). The log is not touched. */
export function apply(ctx: Context, { maxImages, imageQuantum, maxInlineBytes, inlineQuantumBytes }: z.infer<typeof Config>): void {
  ctx.on("attachments/offload", (images, next) => {
    const byCount = droppedImages(
      images.map(() => 1),
      { budget: maxImages, quantum: imageQuantum },
    );
    const inBase64 = images.map(({ bytes }) => Math.ceil(bytes / 3) * 4);
    const byBytes = droppedImages(inBase64, { budget: maxInlineBytes, quantum: inlineQuantumBytes });
    return Math.max(next(), byCount, byBytes);
  });
}
