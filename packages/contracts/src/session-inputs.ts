import { z } from "zod";
import { SessionId, WorkspaceId } from "./ids.ts";
import { ClientKey, OrgSlug, text } from "./inputs.ts";

const session = { org: OrgSlug, sessionId: SessionId };

/** Pages the outline backwards: the `limit` turns before `beforeTurn`, or the last ones (PRJ-4). */
export const SessionProjectionsInput = z.strictObject({
  ...session,
  beforeTurn: z.int().positive().optional(),
  limit: z.int().min(1).max(200).optional(),
});
export type SessionProjectionsInput = z.infer<typeof SessionProjectionsInput>;

/** `boundarySeq`: the last event that is copied; absent: the end of the log, or of its last finished turn while one runs (SES-23). */
export const ForkSession = z.strictObject({ ...session, boundarySeq: z.int().nonnegative().optional(), clientKey: ClientKey });
export type ForkSession = z.infer<typeof ForkSession>;

export const maxQueryChars = 1_000;
const SearchText = text(maxQueryChars).refine((value) => value.trim().length > 0, "must not be empty");
export const SearchSessions = z.strictObject({
  org: OrgSlug,
  query: SearchText,
  workspaceId: WorkspaceId.optional(),
  cursor: z.string().min(1).max(1_000).optional(),
  limit: z.int().min(1).max(100).optional(),
});
export type SearchSessions = z.infer<typeof SearchSessions>;

export const ExportFormat = z.enum(["jsonl", "markdown", "html"]);
export type ExportFormat = z.infer<typeof ExportFormat>;
/** As the address of a download names it. */
export const ExportInput = z.strictObject({ org: OrgSlug, session: SessionId, format: ExportFormat });
export type ExportInput = z.infer<typeof ExportInput>;

/** The longest note on a message, in bytes of UTF-8 (FBK-1). */
export const maxNoteBytes = 8_192;
const messageId = z.string().min(1).max(200);
/** `ifVersion`: the version that was read; null: only where there is none yet. */
const ifVersion = z.uuid().nullable();
export const PutFeedback = z.strictObject({
  ...session,
  messageId,
  rating: z.enum(["positive", "negative"]),
  /** beyond the limit the service refuses it with the limit and its size */
  note: text(400_000).optional(),
  ifVersion,
});
export type PutFeedback = z.infer<typeof PutFeedback>;
export const DeleteFeedback = z.strictObject({ ...session, messageId, ifVersion });
export type DeleteFeedback = z.infer<typeof DeleteFeedback>;
