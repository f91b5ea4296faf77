import type { AttachmentStore, VariantImage } from "@gantry/agent";
import { AppError, type AttachmentId, ImageBlock, type OrgId } from "@gantry/contracts";
import { getAttachment, readAttachment, storeAttachment } from "@gantry/db";
import type { ObjectStore } from "@gantry/platform";
import { admitImage, requestVariant } from "@gantry/platform/images";

/** Bytes of request images that a worker keeps in memory; a conversation sends the same ones with each step. */
const cacheBytes = 64 * 1024 * 1024;
const cache = new Map<string, Promise<VariantImage>>();
let cachedBytes = 0;

/** The attachments of one org, on Postgres and the object store (M-2). */
export function attachmentMeans(orgId: OrgId, objects: ObjectStore): AttachmentStore {
  return {
    async saveImage(sessionId, { bytes, name, expected }) {
      const { original, ...image } = await admitImage(bytes, expected ? { expected } : {});
      const size = { width: image.width, height: image.height };
      const content = { mediaType: image.mediaType, content: image.bytes, size };
      const { id } = await storeAttachment(objects, { orgId, sessionId, name, createdBy: null, ...content });
      const block = ImageBlock.parse({ type: "image", attachmentId: id, mediaType: image.mediaType, ...size, name });
      return { block, bytes: image.bytes.length, ...(original ? { original } : {}) };
    },
    requestImage: (id) => cached(`${orgId}/${id}`, () => readVariant(objects, orgId, id)),
  };
}

async function readVariant(objects: ObjectStore, orgId: OrgId, id: AttachmentId): Promise<VariantImage> {
  const stored = await getAttachment(orgId, id);
  const facts = ImageBlock.safeParse({ type: "image", attachmentId: id, ...stored, name: undefined });
  if (!facts.success) throw new AppError("NOT_FOUND", "There is no such image.");
  const { mediaType, width, height } = facts.data;
  return requestVariant({ bytes: await readAttachment(objects, orgId, stored), mediaType, width, height });
}

/** One piece of work for all who ask at the same time; what was used longest ago goes first. A failure is not kept. */
function cached(key: string, make: () => Promise<VariantImage>): Promise<VariantImage> {
  const known = cache.get(key);
  if (known) {
    cache.delete(key);
    cache.set(key, known);
    return known;
  }
  const made = make();
  cache.set(key, made);
  made.then(
    ({ bytes }) => {
      cachedBytes += bytes.length;
      void shrink();
    },
    () => cache.delete(key),
  );
  return made;
}

async function shrink(): Promise<void> {
  for (const [key, oldest] of cache) {
    if (cachedBytes <= cacheBytes) return;
    cache.delete(key);
    await oldest.then(
      ({ bytes }) => {
        cachedBytes -= bytes.length;
      },
      () => {}, // it was never counted
    );
  }
}
