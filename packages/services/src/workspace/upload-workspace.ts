import { Readable } from "node:stream";
import type { UploadInput, WorkspaceId } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import type { ServiceContext } from "../context.ts";
import { announceImport } from "./announce-import.ts";
import { type ArchiveFormat, archiveFormat, signatureBytes } from "./archive-format.ts";
import { assertNameFree, insertWorkspace } from "./insert-workspace.ts";

type Upload = UploadInput & { readonly body: AsyncIterable<Uint8Array>; readonly signal?: AbortSignal };

/**
 * Takes an archive in as it streams and makes a workspace of it, unpacked by a worker. Whatever fails, neither an object nor a row stays.
 * @throws UPLOAD_TOO_LARGE as soon as the limit is passed, ARCHIVE_REFUSED by the first bytes, CONFLICT for a taken name
 */
export async function uploadWorkspace(ctx: ServiceContext, { name, body, signal }: Upload): Promise<{ workspaceId: WorkspaceId }> {
  await withOrg(ctx.orgId, (tx) => assertNameFree(tx, ctx, name));
  const id = newId<WorkspaceId>();
  const object = `${ctx.orgId}/uploads/${id}`;
  try {
    const { format, rest } = await readFormat(body);
    const limits = { maxBytes: ctx.env.UPLOAD_MAX_MB * 1024 * 1024, ...(signal && { signal }) };
    const { bytes } = await ctx.objects.put(object, Readable.from(rest, { objectMode: false }), limits);
    await insertWorkspace(ctx, { id, name, source: { kind: "archive", name, object, bytes, format } });
  } catch (error) {
    await ctx.objects.delete(object).catch((err) => ctx.log.error({ object, err }, "object of a failed upload is left behind"));
    throw error;
  }
  await announceImport(ctx, id);
  return { workspaceId: id };
}

/** Reads just enough to know the format; `rest` is the whole body again. */
async function readFormat(body: AsyncIterable<Uint8Array>): Promise<{ format: ArchiveFormat; rest: AsyncIterable<Uint8Array> }> {
  const chunks = body[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  while (head.length < signatureBytes) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return { format: archiveFormat(head), rest: joined(head, chunks) };
}

/** Does not end the source when it is ended itself: to cancel a request's body can cut the connection before the refusal is sent. */
async function* joined(head: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}
