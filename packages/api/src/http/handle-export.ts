import { AppError, ExportInput } from "@gantry/contracts";
import { exportSession, exportsByUser, type SessionExport } from "@gantry/services";
import { getTRPCErrorFromUnknown } from "@trpc/server";
import { requireMember, requireUser } from "../access.ts";
import { createApiContext, type RequestFacts } from "../context.ts";
import { toTrpcError } from "../error-shape.ts";
import { logFault, refuse } from "./refuse.ts";
import { assertSameOrigin } from "./same-origin.ts";

/**
 * `GET ?org=&session=&format=jsonl|markdown|html`: the session as a download, as fast as the client takes it (EXP-1). What fails before the first byte is
 * an error with its status; what fails later breaks the download off, so that a part is not taken for the whole. Never throws.
 */
export async function handleExport(request: Request, facts: RequestFacts): Promise<Response> {
  try {
    assertSameOrigin(request, facts.deps.env.NEXTAUTH_URL);
    const ctx = createApiContext(facts);
    const user = await requireUser(ctx);
    await facts.deps.limiter.take(exportsByUser, user.userId);
    const parsed = ExportInput.safeParse(Object.fromEntries(new URL(request.url).searchParams));
    if (!parsed.success)
      throw new AppError("BAD_REQUEST", "An export names organisation, session and format: ?org=…&session=…&format=jsonl|markdown|html.");
    const file = await exportSession(await requireMember(ctx, user, parsed.data.org), parsed.data);
    return new Response(streamOf(file, facts), { headers: headersOf(file) });
  } catch (error) {
    return refuse(error, facts.deps);
  }
}

function streamOf({ chunks }: SessionExport, { deps }: RequestFacts): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        logFault(getTRPCErrorFromUnknown(toTrpcError(error)), "export", deps);
        controller.error(error);
      }
    },
    async cancel() {
      await chunks.return();
    },
  });
}

/** A transcript holds what models and tools wrote: it is saved, never shown as a page of ours (SC-W3). */
function headersOf({ fileName, mediaType }: SessionExport): Record<string, string> {
  return {
    "content-type": mediaType,
    "content-disposition": `attachment; filename="${fileName}"`,
    "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  };
}
