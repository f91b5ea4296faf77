import { z } from "zod";

const id = <B extends string>() => z.uuid().brand<B>();

/** Ids are UUIDs (version 7 when we make them), branded so that one kind is never passed for another. */
export const OrgId = id<"OrgId">();
export type OrgId = z.infer<typeof OrgId>;
export const UserId = id<"UserId">();
export type UserId = z.infer<typeof UserId>;
export const WorkspaceId = id<"WorkspaceId">();
export type WorkspaceId = z.infer<typeof WorkspaceId>;
export const SessionId = id<"SessionId">();
export type SessionId = z.infer<typeof SessionId>;
export const CommandId = id<"CommandId">();
export type CommandId = z.infer<typeof CommandId>;
export const PresetId = id<"PresetId">();
export type PresetId = z.infer<typeof PresetId>;
export const ProviderId = id<"ProviderId">();
export type ProviderId = z.infer<typeof ProviderId>;
export const WorldId = id<"WorldId">();
export type WorldId = z.infer<typeof WorldId>;
export const AttachmentId = id<"AttachmentId">();
export type AttachmentId = z.infer<typeof AttachmentId>;
