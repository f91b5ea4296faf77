import type { AttachmentStore, VariantImage } from "@gantry/agent";
import { AppError, type AttachmentId, ImageBlock, type OrgId } from "@gantry/contracts";
import { getAttachment, readAttachment, storeAttachment } from "@gantry/db";
import type { ObjectStore } from "@gantry/platform";
import type { VariantCache } from "./variant-cache.ts";

/** Loaded with the first picture: the library behind it takes 11 MB of a worker that may never see one. */
const images = () => import("@gantry/platform/images");

/** The attachments of one org, on Postgres and the object store (M-2). */
export function attachmentMeans(orgId: OrgId, objects: ObjectStore, variants: VariantCache): AttachmentStore {
  return {
    async saveImage(sessionId, { bytes, name, expected }) {
      const { admitImage } = await images();
      const { original, ...image } = await admitImage(bytes, expected ? { expected } : {});
      const size = { width: image.width, height: image.height };
      const content = { mediaType: image.mediaType, content: image.bytes, size };
      const { id } = await storeAttachment(objects, { orgId, sessionId, name, createdBy: null, ...content });
      const block = ImageBlock.parse({ type: "image", attachmentId: id, mediaType: image.mediaType, ...size, name });
      return { block, bytes: image.bytes.length, ...(original ? { original } : {}) };
    },
    requestImage: (id) => variants.get(orgId, id, () => readVariant(objects, orgId, id)),
  };
}

async function readVariant(objects: ObjectStore, orgId: OrgId, id: AttachmentId): Promise<VariantImage> {
  const stored = await getAttachment(orgId, id);
  const facts = ImageBlock.safeParse({ type: "image", attachmentId: id, ...stored, name: undefined });
  if (!facts.success) throw new AppError("NOT_FOUND", "There is no such image.");
  const { mediaType, width, height } = facts.data;
  const { requestVariant } = await images();
  return requestVariant({ bytes: await readAttachment(objects, orgId, stored), mediaType, width, height });
}
