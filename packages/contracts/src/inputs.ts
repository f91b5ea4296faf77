import { z } from "zod";
import { attachmentLimits } from "./attachments.ts";
import { hasHidden } from "./hidden-characters.ts";
import { AttachmentId, SessionId, WorkspaceId } from "./ids.ts";

/**
 * What the procedures accept. Every object is strict: an unknown key is refused (SC-T7).
 * Text is stored in Postgres, which takes neither NUL nor lone surrogates: NUL is refused, surrogates are repaired.
 */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\u0000"), "must not contain NUL")
    .overwrite((value) => value.toWellFormed());

/** One line for a list or a heading: trimmed, not empty, and nothing in it that a reader does not see. */
export const line = (max: number) =>
  text(max)
    .overwrite((value) => value.trim())
    .refine(
      (value) => !hasHidden(value),
      "must be one line without control characters, zero-width characters or marks that turn text around",
    )
    .refine((value) => value.length > 0, "must not be empty");

/** What the column of a revision holds. */
export const maxRevision = 2 ** 31 - 1;

export const minPasswordChars = 10;
/** argon2 reads every byte it is given: the cap keeps one sign-in cheap. */
export const maxPasswordChars = 512;
/** What the message field lets through to the service, whose refusal names the limit and the length (maxMessageChars). */
const maxMessageInput = 8_000_000;

/** */
export const PresetSlug = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "must be lower-case letters, digits and dashes");
export const OrgSlug = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, "must be an organisation's slug");
export const ProviderSlug = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, "must be lower-case letters, digits and dashes");
/** Chosen by the client, once for each thing it asks for; a repeat of the key is the same request. */
export const ClientKey = z.string().regex(/^[A-Za-z0-9_.:-]{8,100}$/, "must be 8 to 100 letters, digits or _ . : -");
const ModelId = z.string().regex(/^[\x21-\x7e]{1,200}$/, "must be a model id without spaces");
const Email = z
  .string()
  .trim()
  .max(254)
  .pipe(z.email())
  .overwrite((value) => value.normalize("NFKC").toLowerCase());

export const NoInput = z.strictObject({}).optional();
export const OrgInput = z.strictObject({ org: OrgSlug });
export type OrgInput = z.infer<typeof OrgInput>;

export const SignUp = z.strictObject({
  name: line(100),
  email: Email,
  password: z.string().min(minPasswordChars).max(maxPasswordChars),
  orgName: line(80),
});
export type SignUp = z.infer<typeof SignUp>;
/** What the sign-in form posts; limits only, so that a wrong shape and a wrong password read the same. */
export const SignIn = z.strictObject({ email: Email, password: z.string().max(maxPasswordChars) });
export type SignIn = z.infer<typeof SignIn>;
export const RevokeLogin = z.strictObject({ loginId: z.uuid() });
export type RevokeLogin = z.infer<typeof RevokeLogin>;

export const WorkspaceName = line(80);
export const WorkspaceSourceInput = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("empty") }),
  z.strictObject({ kind: z.literal("clone"), url: z.string().min(1).max(2_000) }),
]);
export const CreateWorkspace = z.strictObject({ org: OrgSlug, name: WorkspaceName, source: WorkspaceSourceInput });
export type CreateWorkspace = z.infer<typeof CreateWorkspace>;
export const WorkspaceInput = z.strictObject({ org: OrgSlug, workspaceId: WorkspaceId });
export type WorkspaceInput = z.infer<typeof WorkspaceInput>;
export const UploadInput = z.strictObject({ org: OrgSlug, name: WorkspaceName });
export type UploadInput = z.infer<typeof UploadInput>;

/** As the address of an upload names it; the name is a label without folders, and without what systems put there that nobody sees. */
export const UploadAttachment = z.strictObject({
  org: OrgSlug,
  session: SessionId,
  name: text(attachmentLimits.maxNameChars)
    .overwrite((value) => value.replace(/\p{Cf}/gu, ""))
    .pipe(line(attachmentLimits.maxNameChars).overwrite((value) => value.replace(/^.*[/\\]/, "") || "file")),
});
export type UploadAttachment = z.infer<typeof UploadAttachment>;
export const AttachmentInput = z.strictObject({ org: OrgSlug, id: AttachmentId });
export type AttachmentInput = z.infer<typeof AttachmentInput>;

const page = { cursor: z.string().min(1).max(200).optional(), limit: z.int().min(1).max(100).optional() };
export const ListWorkspaces = z.strictObject({ org: OrgSlug, ...page });
export type ListWorkspaces = z.infer<typeof ListWorkspaces>;
/** `isLive`: only those that work or wait for a person's answer. */
export const ListSessions = z.strictObject({ org: OrgSlug, workspaceId: WorkspaceId.optional(), isLive: z.boolean().optional(), ...page });
export type ListSessions = z.infer<typeof ListSessions>;

/** An IANA zone that this runtime knows, in its canonical spelling. */
const TimeZone = z
  .string()
  .max(64)
  .refine((value) => zoneOf(value) !== null, "must be an IANA time zone such as Europe/Berlin")
  .overwrite((value) => zoneOf(value) ?? value);

function zoneOf(timeZone: string): string | null {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    return null; // no zone of this name
  }
}

const Prompt = text(maxMessageInput).refine((value) => value.trim().length > 0, "must not be empty");
export const CreateSession = z.strictObject({
  org: OrgSlug,
  workspaceId: WorkspaceId,
  /** both or neither; neither takes the org's first provider and its first model */
  providerSlug: ProviderSlug.optional(),
  model: ModelId.optional(),
  /** absent: the org's default */
  preset: PresetSlug.optional(),
  /** name of a permission preset; absent: the person's or the org's default (PRM-4) */
  permission: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,63}$/)
    .optional(),
  prompt: Prompt.optional(),
  timeZone: TimeZone.optional(),
  clientKey: ClientKey,
});
export type CreateSession = z.infer<typeof CreateSession>;
export const SessionInput = z.strictObject({ org: OrgSlug, sessionId: SessionId });
export type SessionInput = z.infer<typeof SessionInput>;
export const SendMessage = z
  .strictObject({
    org: OrgSlug,
    sessionId: SessionId,
    clientKey: ClientKey,
    text: text(maxMessageInput),
    target: z.enum(["next-turn", "next-step"]),
    /** files uploaded to this session before, in the order in which the model gets them */
    attachmentIds: z.array(AttachmentId).max(attachmentLimits.perMessage).optional(),
    timeZone: TimeZone.optional(),
  })
  .refine(({ text: words, attachmentIds }) => words.trim().length > 0 || (attachmentIds?.length ?? 0) > 0, {
    path: ["text"],
    message: "must not be empty",
  });
export type SendMessage = z.infer<typeof SendMessage>;
export const CancelTurn = z.strictObject({ org: OrgSlug, sessionId: SessionId, clientKey: ClientKey, keepInbox: z.boolean().optional() });
export type CancelTurn = z.infer<typeof CancelTurn>;
export const RenameSession = z.strictObject({ org: OrgSlug, sessionId: SessionId, clientKey: ClientKey, title: line(200) });
export type RenameSession = z.infer<typeof RenameSession>;
/** Pages backwards: the `limit` events before position `before`, or the last ones. */
export const ListEvents = z.strictObject({
  org: OrgSlug,
  sessionId: SessionId,
  before: z.int().nonnegative().optional(),
  limit: z.int().min(1).max(500).optional(),
});
export type ListEvents = z.infer<typeof ListEvents>;
/** `lastEventId` is whatever the browser kept; a value that is no position of this session is answered with the tail. */
export const StreamInput = z.strictObject({
  org: OrgSlug,
  sessionId: SessionId,
  lastEventId: z.string().max(2_000).nullish(),
  /** ends when history is complete, so that it also arrives where something on the way holds streams back (CP-18) */
  once: z.literal(true).optional(),
});
export type StreamInput = z.infer<typeof StreamInput>;

export const ProviderKind = z.enum(["openai_compatible", "anthropic", "openai", "deepseek", "demo"]);
export type ProviderKind = z.infer<typeof ProviderKind>;
export const SaveProvider = z.strictObject({
  org: OrgSlug,
  slug: ProviderSlug,
  name: line(80),
  kind: ProviderKind,
  /** "" for the demo kind */
  baseUrl: text(2_000),
  models: z.array(ModelId).min(1).max(100),
  /** absent keeps the stored key, null removes it */
  key: z
    .string()
    .regex(/^[\x21-\x7e]{1,4000}$/, "must be printable ASCII without spaces")
    .nullish(),
});
export type SaveProvider = z.infer<typeof SaveProvider>;
export const RemoveProvider = z.strictObject({ org: OrgSlug, slug: ProviderSlug });
export type RemoveProvider = z.infer<typeof RemoveProvider>;
