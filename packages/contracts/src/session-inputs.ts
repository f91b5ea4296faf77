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

/** What is let through to the service, whose refusal names the limit and the length (maxMessageChars). */
const maxQueuedInput = 8_000_000;

/** The longest note on a message, in bytes of UTF-8 (FBK-1). */
export const maxNoteBytes = 8_192;
const messageId = text(200).refine((value) => value.length > 0, "must not be empty");
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

/** A message that waits, and what becomes of it: gone, other words, another place of its list (from 0), or into the running turn at its next step. */
export const ChangeQueue = z.strictObject({
  ...session,
  messageId,
  change: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("remove") }),
    z.strictObject({ kind: z.literal("edit"), text: text(maxQueuedInput).refine((value) => value.trim().length > 0, "must not be empty") }),
    z.strictObject({ kind: z.literal("move"), index: z.int().nonnegative().max(100_000) }),
    z.strictObject({ kind: z.literal("steer") }),
  ]),
  clientKey: ClientKey,
});
export type ChangeQueue = z.infer<typeof ChangeQueue>;

/** A human command as it was typed: `/compact`. */
export const RunCommand = z.strictObject({ ...session, text: text(100_000), clientKey: ClientKey });
export type RunCommand = z.infer<typeof RunCommand>;
