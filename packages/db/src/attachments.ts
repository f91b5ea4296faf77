import { createHash } from "node:crypto";
import { AppError, type AttachmentId, type OrgId, type SessionId, type UserId, type WorkspaceId } from "@gantry/contracts";
import { derivedId, type ObjectStore } from "@gantry/platform";
import { type Tx, withOrg } from "./scope.ts";

/** Images have a size; what has none is text. */
export type NewAttachment = {
  readonly orgId: OrgId;
  readonly sessionId: SessionId;
  readonly name: string;
  readonly mediaType: string;
  readonly content: Buffer;
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly createdBy: UserId | null;
};
export type StoredAttachment = {
  readonly id: AttachmentId;
  readonly sessionId: SessionId;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** sha-256 of the content, hex */
  readonly digest: string;
  readonly width: number | null;
  readonly height: number | null;
};

/** Bytes that the attachments of one session may have together. */
const maxSessionBytes = 512 * 1024 * 1024;
const columns = { id: true, sessionId: true, name: true, mediaType: true, bytes: true, digest: true, width: true, height: true } as const;

/**
 * Keeps an attachment: the content first, then its row, so that no row is without content. The same content under the same name in the same
 * session is the same attachment, however often it comes; `onNew` runs in the transaction of a new row.
 * @throws AppError NOT_FOUND without such a session, QUOTA_EXCEEDED
 */
export async function storeAttachment(
  objects: ObjectStore,
  { orgId, sessionId, content, size, ...facts }: NewAttachment,
  onNew?: (tx: Tx, stored: StoredAttachment) => Promise<void>,
): Promise<StoredAttachment> {
  const digest = createHash("sha256").update(content).digest("hex");
  const id = derivedId<AttachmentId>(`gantry-attachment|${orgId}|${sessionId}|${digest}|${facts.name}`);
  const known = await withOrg(orgId, (tx) => roomFor(tx, { orgId, sessionId, id, bytes: content.length }));
  if (known) return known;
  await objects.put(objectKey(orgId, sessionId, digest), content, { maxBytes: content.length });
  const row = { id, sessionId, ...facts, bytes: content.length, digest, width: size?.width ?? null, height: size?.height ?? null };
  return withOrg(orgId, async (tx) => {
    const { count } = await tx.attachment.createMany({ data: [{ orgId, ...row }], skipDuplicates: true });
    const { createdBy: _, ...stored } = row;
    if (count > 0) await onNew?.(tx, stored);
    return stored;
  });
}

/** The attachment when it is there already, null when there is room for it. */
async function roomFor(
  tx: Tx,
  { orgId, sessionId, id, bytes }: { orgId: OrgId; sessionId: SessionId; id: AttachmentId; bytes: number },
): Promise<StoredAttachment | null> {
  const [session, known, used] = [
    await tx.session.findUnique({ where: { orgId_id: { orgId, id: sessionId } }, select: { id: true } }),
    await tx.attachment.findUnique({ where: { orgId_id: { orgId, id } }, select: columns }),
    await tx.attachment.aggregate({ where: { orgId, sessionId }, _sum: { bytes: true } }),
  ];
  if (!session) throw new AppError("NOT_FOUND", "There is no such session in this organisation.");
  if (known) return known as StoredAttachment;
  if ((used._sum.bytes ?? 0) + bytes <= maxSessionBytes) return null;
  throw new AppError("QUOTA_EXCEEDED", `The files attached to this session have ${maxSessionBytes} bytes already. Start another session.`);
}

/** The attachments of these ids, in their order. @throws AppError NOT_FOUND when one is not this session's */
export async function findAttachments(
  tx: Tx,
  orgId: OrgId,
  sessionId: SessionId,
  ids: readonly AttachmentId[],
): Promise<StoredAttachment[]> {
  const rows = await tx.attachment.findMany({ where: { orgId, sessionId, id: { in: [...ids] } }, select: columns });
  const byId = new Map(rows.map((row) => [row.id, row as StoredAttachment]));
  return ids.map((id) => byId.get(id) ?? notFound());
}

/** @throws AppError NOT_FOUND, also for an attachment of another org */
export async function getAttachment(orgId: OrgId, id: AttachmentId): Promise<StoredAttachment> {
  const row = await withOrg(orgId, (tx) => tx.attachment.findUnique({ where: { orgId_id: { orgId, id } }, select: columns }));
  return row ? (row as StoredAttachment) : notFound();
}

/** The content, proved to be what was stored. @throws AppError ATTACHMENT_CORRUPT, NOT_FOUND */
export async function readAttachment(objects: ObjectStore, orgId: OrgId, { sessionId, digest, bytes }: StoredAttachment): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of await objects.get(objectKey(orgId, sessionId, digest))) {
    parts.push(part as Buffer);
    length += (part as Buffer).length;
    if (length > bytes) break;
  }
  const content = Buffer.concat(parts);
  if (content.length === bytes && createHash("sha256").update(content).digest("hex") === digest) return content;
  throw new AppError("ATTACHMENT_CORRUPT", "An attached file is not what was stored. Attach it again, and tell the operator.");
}

/** Where the content of a workspace's attachments lies, for whoever removes the rows. */
export async function attachmentObjects(tx: Tx, { orgId, workspaceId }: { orgId: OrgId; workspaceId: WorkspaceId }): Promise<string[]> {
  const rows = await tx.attachment.findMany({ where: { orgId, session: { workspaceId } }, select: { sessionId: true, digest: true } });
  return [...new Set(rows.map(({ sessionId, digest }) => objectKey(orgId, sessionId, digest)))];
}

/** Below the org and the session: equal files of two tenants, or of two sessions, know nothing of each other (EX-182). */
const objectKey = (orgId: string, sessionId: string, digest: string): string => `${orgId}/sessions/${sessionId}/attachments/${digest}`;

function notFound(): never {
  throw new AppError("NOT_FOUND", "There is no such attachment.");
}
