import type { AttachmentId } from "@gantry/contracts";
import { getAttachment, readAttachment } from "@gantry/db";
import type { ServiceContext } from "../context.ts";

export type AttachmentFile = { readonly name: string; readonly mediaType: string; readonly content: Buffer };

/** An attachment of any session of the org, whole. @throws NOT_FOUND, ATTACHMENT_CORRUPT */
export async function getAttachmentFile({ orgId, objects }: ServiceContext, id: AttachmentId): Promise<AttachmentFile> {
  const stored = await getAttachment(orgId, id);
  return { name: stored.name, mediaType: stored.mediaType, content: await readAttachment(objects, orgId, stored) };
}
