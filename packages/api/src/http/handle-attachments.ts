import { AppError, AttachmentInput, attachmentLimits, UploadAttachment } from "@gantry/contracts";
import { type AttachmentFile, attachmentsByUser, getAttachmentFile, uploadAttachment } from "@gantry/services";
import { assertCanWrite, requireMember, requireUser } from "../access.ts";
import { createApiContext, type RequestFacts } from "../context.ts";
import { bodyChunks, brokenOff } from "./body-chunks.ts";
import { refuse } from "./refuse.ts";
import { assertSameOrigin } from "./same-origin.ts";

/**
 * `POST ?org=&session=&name=` with a file as the raw body: answers with the attachment, or `{error: {code, message, data}}` with its status. What the
 * file is, its content says; declared types are not read. Never throws.
 */
export async function handleAttachmentUpload(request: Request, facts: RequestFacts): Promise<Response> {
  const body = bodyChunks(request);
  try {
    assertSameOrigin(request, facts.deps.env.NEXTAUTH_URL);
    const ctx = createApiContext(facts);
    const user = await requireUser(ctx);
    await facts.deps.limiter.take(attachmentsByUser, user.userId);
    const parsed = UploadAttachment.safeParse(Object.fromEntries(new URL(request.url).searchParams));
    if (!parsed.success) throw new AppError("BAD_REQUEST", "An upload names organisation, session and file: ?org=…&session=…&name=….");
    const service = await requireMember(ctx, user, parsed.data.org);
    assertCanWrite(service);
    assertDeclaredSize(request);
    const attachment = await uploadAttachment(service, { ...parsed.data, body });
    return Response.json(attachment, { status: 201, headers: { "cache-control": "no-store" } });
  } catch (error) {
    await body.drain();
    return refuse(request.signal.aborted ? brokenOff(error) : error, facts.deps);
  }
}

/** `GET ?org=` for the attachment `id`: its content, or the same error for what is not there and what is another org's. Never throws. */
export async function handleAttachment(request: Request, id: string, facts: RequestFacts): Promise<Response> {
  try {
    const ctx = createApiContext(facts);
    const user = await requireUser(ctx);
    const parsed = AttachmentInput.safeParse({ ...Object.fromEntries(new URL(request.url).searchParams), id });
    if (!parsed.success) throw new AppError("NOT_FOUND", "There is no such attachment.");
    const file = await getAttachmentFile(await requireMember(ctx, user, parsed.data.org), parsed.data.id);
    return new Response(new Uint8Array(file.content), { headers: fileHeaders(file) });
  } catch (error) {
    return refuse(error, facts.deps);
  }
}

/** What came from outside is never a page of ours: no guessing of types, no scripts, no frame, and a download when opened (SC-W3). */
function fileHeaders({ name, mediaType, content }: AttachmentFile): Record<string, string> {
  return {
    "content-type": mediaType === "text/plain" ? "text/plain; charset=utf-8" : mediaType,
    "content-length": String(content.length),
    "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, escapeChar)}`,
    "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    // an attachment never changes; another person on the same machine has another cookie
    "cache-control": "private, max-age=3600",
    vary: "cookie",
  };
}

const escapeChar = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;

/** Saves the upload of what would be refused anyway. */
function assertDeclaredSize(request: Request): void {
  const { maxImageBytes } = attachmentLimits;
  if (Number(request.headers.get("content-length") ?? 0) <= maxImageBytes) return;
  throw new AppError("UPLOAD_TOO_LARGE", `The file is larger than the ${maxImageBytes} bytes allowed. Send a smaller one.`);
}
