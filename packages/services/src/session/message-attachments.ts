import { type AttachmentId, ImageBlock, type MessageAttachment, maxMessageChars, type SessionId } from "@gantry/contracts";
import { findAttachments, readAttachment, type StoredAttachment, withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";

type Given = { readonly sessionId: SessionId; readonly text: string; readonly attachmentIds?: readonly AttachmentId[] | undefined };

/**
 * What a message carries besides its text: images by reference, files as text. Files share what the text leaves of a message's length; the rest of a
 * longer one is cut off. @throws NOT_FOUND when one is not this session's, ATTACHMENT_CORRUPT
 */
export async function messageAttachments(
  ctx: ServiceContext,
  { sessionId, text, attachmentIds = [] }: Given,
): Promise<MessageAttachment[]> {
  if (attachmentIds.length === 0) return [];
  const ids = [...new Set(attachmentIds)];
  const found = await withOrg(ctx.orgId, (tx) => findAttachments(tx, ctx.orgId, sessionId, ids));
  let left = maxMessageChars - text.length;
  let files = found.filter(({ width }) => width === null).length;
  const attachments: MessageAttachment[] = [];
  for (const stored of found) {
    if (stored.width !== null) {
      attachments.push(imageOf(stored));
      continue;
    }
    const content = cleaned((await readAttachment(ctx.objects, ctx.orgId, stored)).toString("utf8"));
    const kept = content.slice(0, Math.floor(left / files)).replace(/[\ud800-\udbff]$/, ""); // no half of a character
    left -= kept.length;
    files--;
    attachments.push({ type: "text-file", attachmentId: stored.id, name: stored.name, text: kept, chars: content.length });
  }
  return attachments;
}

const imageOf = ({ id: attachmentId, mediaType, width, height, name }: StoredAttachment): ImageBlock =>
  ImageBlock.parse({ type: "image", attachmentId, mediaType, width, height, name });

const cleaned = (text: string): string => text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
