import type { ApiErrorData } from "@gantry/api";

export type UploadResult =
  | { ok: true; workspaceId: string }
  | { ok: false; error: { data: Partial<ApiErrorData> | null; message?: string } };
export const archivePattern = /\.(zip|tar\.gz|tgz)$/i;

type Options = { org: string; name: string; file: File; signal: AbortSignal; onProgress: (percent: number) => void };

/** Sends an archive as it is. Never throws: a broken connection is a failure without data. XHR, since fetch tells no upload progress. */
export function uploadArchive({ org, name, file, signal, onProgress }: Options): Promise<UploadResult> {
  const { promise, resolve } = Promise.withResolvers<UploadResult>();
  const request = new XMLHttpRequest();
  request.open("POST", `/api/upload?${new URLSearchParams({ org, name })}`);
  request.setRequestHeader("content-type", "application/octet-stream");
  request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? Math.floor((loaded / total) * 100) : 0);
  const cut = () => resolve({ ok: false, error: { data: null } });
  request.onerror = cut;
  request.onabort = cut;
  request.onload = () => resolve(readAnswer(request.status, request.responseText));
  signal.addEventListener("abort", () => request.abort(), { once: true });
  request.send(file);
  return promise;
}

function readAnswer(status: number, text: string): UploadResult {
  try {
    const body = JSON.parse(text) as {
      workspaceId?: string;
      error?: { message?: string; data?: ApiErrorData; json?: { message?: string; data?: ApiErrorData } };
    };
    if (status < 300 && body.workspaceId) return { ok: true, workspaceId: body.workspaceId };
    const error = body.error?.json ?? body.error;
    return { ok: false, error: { data: error?.data ?? {}, ...(error?.message && { message: error.message }) } };
  } catch {
    return { ok: false, error: { data: {} } }; // an answer that is no JSON comes from something between us and the server
  }
}

/** The name of an archive without its ending, as a first guess for the workspace's name. */
export const nameOfArchive = (fileName: string): string => fileName.replace(archivePattern, "");
