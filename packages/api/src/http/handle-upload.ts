import { AppError, UploadInput } from "@gantry/contracts";
import { uploadsByUser, uploadWorkspace } from "@gantry/services";
import { assertCanWrite, requireMember, requireUser } from "../access.ts";
import { createApiContext, type RequestFacts } from "../context.ts";
import { bodyChunks, brokenOff } from "./body-chunks.ts";
import { refuse } from "./refuse.ts";
import { assertSameOrigin } from "./same-origin.ts";

/**
 * `POST ?org=&name=` with an archive as the raw body: answers `{workspaceId}` or `{error: {code, message, data}}` with its status.
 * The caller is known before the first byte of the body is read. Never throws.
 */
export async function handleUpload(request: Request, facts: RequestFacts): Promise<Response> {
  const body = bodyChunks(request);
  try {
    assertSameOrigin(request, facts.deps.env.NEXTAUTH_URL);
    const ctx = createApiContext(facts);
    const user = await requireUser(ctx);
    await facts.deps.limiter.take(uploadsByUser, user.userId);
    const input = parseInput(new URL(request.url).searchParams);
    const service = await requireMember(ctx, user, input.org);
    assertCanWrite(service);
    assertDeclaredSize(request, facts);
    const created = await uploadWorkspace(service, { ...input, body, signal: request.signal });
    return Response.json(created, { status: 201, headers: { "cache-control": "no-store" } });
  } catch (error) {
    await body.drain();
    return refuse(request.signal.aborted ? brokenOff(error) : error, facts.deps);
  }
}

function parseInput(query: URLSearchParams): UploadInput {
  const parsed = UploadInput.safeParse(Object.fromEntries(query));
  if (parsed.success) return parsed.data;
  throw new AppError("BAD_REQUEST", "An upload names the organisation and a name for the workspace: ?org=…&name=….", {
    data: { field: "name" },
  });
}

/** Saves the upload of what would be refused anyway. */
function assertDeclaredSize(request: Request, { deps }: RequestFacts): void {
  const maxMb = deps.env.UPLOAD_MAX_MB;
  if (Number(request.headers.get("content-length") ?? 0) <= maxMb * 1024 * 1024) return;
  throw new AppError(
    "UPLOAD_TOO_LARGE",
    `The file is larger than the ${maxMb} MB allowed. Leave out what can be built or downloaded again.`,
    {
      data: { maxMb },
    },
  );
}
