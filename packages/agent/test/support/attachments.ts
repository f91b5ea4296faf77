import { AppError, type AttachmentId, ImageBlock, type Message } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import { type AdmittedImage, admitImage, requestVariant } from "@gantry/platform/images";
import type { AttachmentStore } from "../../src/attachments/store.ts";

/** Attachments in memory, taken in and made small as in a worker. `reads` are the ids that requests asked for. */
export function memoryAttachments() {
  const kept = new Map<AttachmentId, AdmittedImage>();
  const reads: AttachmentId[] = [];
  const add = (image: AdmittedImage, name: string): ImageBlock => {
    const attachmentId = newId<AttachmentId>();
    kept.set(attachmentId, image);
    const { mediaType, width, height } = image;
    return ImageBlock.parse({ type: "image", attachmentId, mediaType, width, height, name });
  };
  const store: AttachmentStore = {
    async saveImage(_sessionId, { bytes, name, expected }) {
      const image = await admitImage(bytes, expected ? { expected } : {});
      return { block: add(image, name), bytes: image.bytes.length, ...(image.original ? { original: image.original } : {}) };
    },
    async requestImage(id) {
      reads.push(id);
      const image = kept.get(id);
      if (!image) throw new AppError("NOT_FOUND", "There is no such attachment.");
      return requestVariant(image);
    },
  };
  /** A message of a person that shows one image. */
  const showing = async (bytes: Buffer, id: string = newId()): Promise<Message> => ({
    id,
    role: "user",
    content: [{ type: "text", text: `look ${id}` }, add(await admitImage(bytes), "shot.png")],
    source: { kind: "user" },
  });
  return { store, kept, reads, showing };
}
