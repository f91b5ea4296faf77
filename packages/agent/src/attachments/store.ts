import { AppError, type AttachmentId, type ImageMediaType, type SessionId } from "@gantry/contracts";
import type { GivenImage, SavedImage } from "@gantry/tools";

export type VariantImage = {
  readonly mediaType: ImageMediaType;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
};

/** The host capability `attachmentStore`: the attachments of one org and no other (M-2). */
export interface AttachmentStore {
  /** Takes an image in and keeps it with the session. @throws AppError for what is refused, QUOTA_EXCEEDED */
  saveImage(sessionId: SessionId, image: GivenImage): Promise<SavedImage>;
  /** An image of any session of the org, as small as a model request wants it. @throws AppError NOT_FOUND, ATTACHMENT_CORRUPT */
  requestImage(id: AttachmentId): Promise<VariantImage>;
}

/** For a root without a store of its own. */
export const noAttachments: AttachmentStore = {
  saveImage: () => Promise.reject(new AppError("UNAVAILABLE", "This installation keeps no attachments.")),
  requestImage: () => Promise.reject(new AppError("NOT_FOUND", "There is no such attachment.")),
};
