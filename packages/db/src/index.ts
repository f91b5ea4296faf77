export { type AppendBatch, appendEvents, type SessionPatch } from "./append-events.ts";
export {
  attachmentObjects,
  findAttachments,
  getAttachment,
  type NewAttachment,
  readAttachment,
  type StoredAttachment,
  storeAttachment,
} from "./attachments.ts";
export { insertCommand, type PendingCommand, pendingCommands, pendingPage } from "./commands.ts";
export { closeDatabase } from "./connections.ts";
export { copyLog } from "./copy-log.ts";
export { countEvents } from "./count-events.ts";
export { dispatchedCalls } from "./dispatched-calls.ts";
export type { Prisma } from "./generated/client.ts";
export type { ProviderKind, Role, SandboxState, WorkspaceState } from "./generated/enums.ts";
export { importsWaiting } from "./imports-waiting.ts";
export { indexTexts, unindexedSessions } from "./index-texts.ts";
export { acquireLease, handOverLease, putDownLease, releaseLease, renewLease } from "./leases.ts";
export { listOrgIds } from "./list-org-ids.ts";
export { isLockTimeout, isUniqueViolation } from "./outage.ts";
export { platformPresetIds, standardPresetId } from "./platform-presets.ts";
export type { NewPrompt, PromptChanges } from "./prompt-changes.ts";
export { expirePrompts, type PromptAnswer, readPrompt, type StoredPrompt, takeAnswer } from "./prompts.ts";
export { queueCommand } from "./queue-command.ts";
export { type EventRange, readEvents } from "./read-events.ts";
export { readOnly } from "./read-only.ts";
export { readRawEvents } from "./read-raw-events.ts";
export {
  type LayerPointer,
  type OrgPlan,
  readProviderSecret,
  readProviderSecrets,
  readSessionStart,
  type SessionStart,
  type StoredLayer,
  type StoredProvider,
  type StoredSetting,
} from "./read-session-start.ts";
export { enterOrg, type Tx, withOrg, withSystem, withUser } from "./scope.ts";
export { sessionsDue } from "./sessions-due.ts";
export { storable } from "./storable.ts";
export { tenantRows, userRows } from "./tenant-queries.ts";
