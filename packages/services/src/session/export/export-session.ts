import type { ExportFormat, ExportInput } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { writeAudit } from "../../audit/write-audit.ts";
import type { ServiceContext } from "../../context.ts";
import { type ReadableSession, readSession } from "../query/query-scope.ts";
import { takeExportSlot } from "./export-slots.ts";
import { html } from "./html.ts";
import { markdown } from "./markdown.ts";
import { writeLogLines } from "./write-log-lines.ts";
import { writeTranscript } from "./write-transcript.ts";

export type SessionExport = {
  /** ASCII, safe in a header */
  readonly fileName: string;
  readonly mediaType: string;
  /** Read to its end or returned from, so that the next export may begin. */
  readonly chunks: AsyncIterableIterator<string, void, void> & { return(): Promise<IteratorResult<string, void>> };
};

const kinds: { [F in ExportFormat]: { extension: string; mediaType: string } } = {
  jsonl: { extension: "jsonl", mediaType: "application/x-ndjson; charset=utf-8" },
  markdown: { extension: "md", mediaType: "text/markdown; charset=utf-8" },
  html: { extension: "html", mediaType: "text/html; charset=utf-8" },
};

/**
 * A session as a download: its raw log with those of its forks, or a transcript (EXP-1). The log is read up to where it ends now, a live session's too;
 * nothing is changed in it. What can go wrong before the first piece is thrown here.
 * @throws NOT_FOUND, CONFLICT while the same person exports the same session, SESSION_CORRUPT, SESSION_UNSUPPORTED
 */
export async function exportSession(ctx: ServiceContext, { session: sessionId, format }: ExportInput): Promise<SessionExport> {
  const { orgId, userId } = ctx;
  const session = await readSession({ orgId, userId }, sessionId, async (found) => found);
  const release = takeExportSlot(`${orgId}/${userId}/${sessionId}`);
  const chunks = releasing(piecesOf(ctx, session, format), release);
  try {
    const first = await chunks.next();
    await withOrg(orgId, (tx) => writeAudit(tx, ctx, { action: "session.export", subject: sessionId, details: { format } }));
    const { extension, mediaType } = kinds[format];
    return { fileName: `${fileStem(session)}.${extension}`, mediaType, chunks: startingWith(first, chunks) };
  } catch (error) {
    await chunks.return();
    throw error;
  }
}

function piecesOf({ orgId, userId }: ServiceContext, session: ReadableSession, format: ExportFormat): AsyncGenerator<string, void, void> {
  if (format === "jsonl") return writeLogLines({ orgId, userId }, session);
  return writeTranscript(orgId, session, format === "html" ? html : markdown);
}

async function* releasing(pieces: AsyncGenerator<string, void, void>, release: () => void): AsyncGenerator<string, void, void> {
  try {
    yield* pieces;
  } finally {
    release();
  }
}

/** No generator of its own: one that was never started would not pass the end on. */
function startingWith(first: IteratorResult<string, void>, rest: AsyncGenerator<string, void, void>): SessionExport["chunks"] {
  let waiting: IteratorResult<string, void> | null = first;
  return {
    async next() {
      const next = waiting ?? (await rest.next());
      waiting = null;
      return next;
    },
    return: () => rest.return(),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function fileStem({ id, title }: ReadableSession): string {
  const words = (title ?? "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return ["session", words, id.slice(0, 8)].filter((part) => part !== "").join("-");
}
