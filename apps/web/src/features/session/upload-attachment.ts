import type { ApiErrorData } from "@gantry/api";
import { attachmentTexts } from "../../strings/en/attachments.ts";

type Upload = { org: string; sessionId: string; name: string; file: File };

/** Stores a file with its session and gives its id. @throws Error with the reason in words */
export async function uploadAttachment({ org, sessionId, name, file }: Upload): Promise<string> {
  const address = `/api/attachments?${new URLSearchParams({ org, session: sessionId, name })}`;
  const response = await fetch(address, { method: "POST", body: file, headers: { "content-type": "application/octet-stream" } }).catch(
    () => null,
  );
  const body = (await response?.json().catch(() => null)) as {
    attachmentId?: string;
    error?: { message?: string; data?: ApiErrorData };
  } | null;
  if (body?.attachmentId) return body.attachmentId;
  throw new Error(body?.error?.message ?? attachmentTexts.failed);
}
