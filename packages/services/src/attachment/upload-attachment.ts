import { isUtf8 } from "node:buffer";
import { AppError, type AttachmentId, attachmentLimits, type SessionId, type UploadAttachment } from "@gantry/contracts";
import { type NewAttachment, type StoredAttachment, storeAttachment, withOrg } from "@gantry/db";
import { admitImage, imageTypeOf } from "@gantry/platform/images";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { sessionNotFound } from "../session/session-not-found.ts";

type Upload = Omit<UploadAttachment, "org"> & { readonly body: AsyncIterable<Uint8Array> };
export type AttachmentView = {
  readonly attachmentId: AttachmentId;
  readonly kind: "image" | "text";
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** pixels, of images */
  readonly width: number | null;
  readonly height: number | null;
};

/**
 * Takes a file in for a later message of the session: an image, known by its content and made small (tools §10.1), or UTF-8 text. Safe to repeat: the
 * same file under the same name is the same attachment. Whatever is refused leaves nothing behind.
 * @throws NOT_FOUND, UPLOAD_TOO_LARGE, UNSUPPORTED_FILE_TYPE, QUOTA_EXCEEDED, the refusals of {@link admitImage}
 */
export async function uploadAttachment(ctx: ServiceContext, { session: sessionId, name, body }: Upload): Promise<AttachmentView> {
  await assertSession(ctx, sessionId);
  const bytes = await readWhole(body);
  const stored = await storeAttachment(
    ctx.objects,
    { orgId: ctx.orgId, sessionId, name, createdBy: ctx.userId, ...(await admit(bytes)) },
    (tx, { id, mediaType, bytes: size }) =>
      writeAudit(tx, ctx, { action: "session.attach", subject: sessionId, details: { attachmentId: id, mediaType, bytes: size } }),
  );
  return viewOf(stored);
}

/** Before the body is read. */
async function assertSession({ orgId }: ServiceContext, id: SessionId): Promise<void> {
  const row = await withOrg(orgId, (tx) => tx.session.findUnique({ where: { orgId_id: { orgId, id } }, select: { id: true } }));
  if (!row) throw sessionNotFound();
}

async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const { maxImageBytes } = attachmentLimits;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    parts.push(part);
    bytes += part.byteLength;
    if (bytes > maxImageBytes)
      throw new AppError("UPLOAD_TOO_LARGE", `The file is larger than the ${maxImageBytes} bytes allowed. Send a smaller one.`);
  }
  return Buffer.concat(parts);
}

async function admit(bytes: Buffer): Promise<Pick<NewAttachment, "content" | "mediaType" | "size">> {
  if (imageTypeOf(bytes)) {
    const { bytes: content, mediaType, width, height } = await admitImage(bytes);
    return { content, mediaType, size: { width, height } };
  }
  if (!isText(bytes))
    throw new AppError(
      "UNSUPPORTED_FILE_TYPE",
      "Only images (PNG, JPEG, WebP, GIF) and text files can be attached. Ask the agent to fetch others from an address, or create the workspace from an archive that holds them.",
    );
  if (bytes.length > attachmentLimits.maxTextBytes)
    throw new AppError(
      "UPLOAD_TOO_LARGE",
      `A text file may have ${attachmentLimits.maxTextBytes} bytes; this one has ${bytes.length}. Attach a part of it, or create the workspace from an archive that holds it.`,
    );
  return { content: bytes, mediaType: "text/plain", size: null };
}

/** Of the control characters a text has these: BEL, backspace, tab, line and page ends, escape. */
const textControls: ReadonlySet<number> = new Set([7, 8, 9, 10, 11, 12, 13, 27]);
const isControl = (byte: number): boolean => byte < 32 && !textControls.has(byte);

/** UTF-8, and nothing that no text has. A PDF may look like it and is none. */
const isText = (bytes: Buffer): boolean =>
  bytes.length > 0 &&
  bytes.toString("latin1", 0, 5) !== "%PDF-" &&
  !bytes.subarray(0, attachmentLimits.maxTextBytes).some(isControl) &&
  isUtf8(bytes);

const viewOf = ({ id: attachmentId, name, mediaType, bytes, width, height }: StoredAttachment): AttachmentView => ({
  attachmentId,
  kind: width === null ? "text" : "image",
  name,
  mediaType,
  bytes,
  width,
  height,
});
