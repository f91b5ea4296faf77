import { z } from "zod";
import { WorkspaceId } from "./ids.ts";
import { maxRevision, OrgSlug, text } from "./inputs.ts";
import { StoredJson } from "./json.ts";

/** What the procedures of compositions, plugins and settings accept. A `source` is YAML or JSON text: a list of patches. */
const Revision = z.int().nonnegative().max(maxRevision);
const Profile = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/);
const Reason = text(500).optional();
const composition = { org: OrgSlug, profile: Profile };
/** 0: the org has written nothing yet */
/** `force`: confirmed that presets go which the org cannot do without */
const expected = { expectedRevision: Revision, reason: Reason, force: z.boolean().optional() };
const RowId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/);
const Spec = text(200);

export const CompositionInput = z.strictObject(composition);
export type CompositionInput = z.infer<typeof CompositionInput>;
export const GetComposition = z.strictObject({
  ...composition,
  upTo: z.enum(["bundle", "plan", "org"]).optional(),
  revision: Revision.optional(),
});
export type GetComposition = z.infer<typeof GetComposition>;
export const CheckLayer = z.strictObject({ ...composition, source: text(262_144) });
export type CheckLayer = z.infer<typeof CheckLayer>;
export const SaveLayer = z.strictObject({ ...composition, source: text(262_144), ...expected });
export type SaveLayer = z.infer<typeof SaveLayer>;
export const DiffLayers = z.strictObject({ ...composition, from: Revision, to: Revision });
export type DiffLayers = z.infer<typeof DiffLayers>;
export const RollBackLayer = z.strictObject({ ...composition, revision: Revision, ...expected });
export type RollBackLayer = z.infer<typeof RollBackLayer>;

/** `name` asserts the row's plugin. */
export const SetRowEnabled = z.strictObject({ ...composition, row: RowId, name: text(200), enabled: z.boolean(), ...expected });
export type SetRowEnabled = z.infer<typeof SetRowEnabled>;
export const SetBundle = z.strictObject({ ...composition, bundle: Spec, on: z.boolean(), ...expected });
export type SetBundle = z.infer<typeof SetBundle>;
export const InspectPlugin = z.strictObject({ ...composition, spec: Spec });
export type InspectPlugin = z.infer<typeof InspectPlugin>;
export const InstallBundle = z.strictObject({ ...composition, spec: Spec, requestId: z.uuid(), ...expected });
export type InstallBundle = z.infer<typeof InstallBundle>;
export const CancelInstall = z.strictObject({ ...composition, requestId: z.uuid() });
export type CancelInstall = z.infer<typeof CancelInstall>;
export const RemoveBundle = z.strictObject({ ...composition, bundle: Spec, ...expected });
export type RemoveBundle = z.infer<typeof RemoveBundle>;

export const SettingsLevel = z.enum(["org", "workspace", "user"]);
export type SettingsLevel = z.infer<typeof SettingsLevel>;
/** `workspaceId` with the level `workspace` only; the level `user` is the caller. */
const section = {
  org: OrgSlug,
  namespace: Profile,
  level: SettingsLevel,
  workspaceId: WorkspaceId.optional(),
  expectedRevision: Revision.optional(),
};
export const ListSettings = z.strictObject({ org: OrgSlug, workspaceId: WorkspaceId.optional() });
export type ListSettings = z.infer<typeof ListSettings>;
const Section = z.record(z.string(), StoredJson);
/** Merged into the section; null at a key takes the key out. */
export const UpdateSettings = z.strictObject({ ...section, values: Section });
export type UpdateSettings = z.infer<typeof UpdateSettings>;
/** The whole section; `{}` resets it. */
export const ReplaceSettings = z.strictObject({ ...section, values: Section });
export type ReplaceSettings = z.infer<typeof ReplaceSettings>;
const Path = text(200);
export const SetSetting = z.strictObject({ ...section, path: Path, value: StoredJson });
export type SetSetting = z.infer<typeof SetSetting>;
export const UnsetSetting = z.strictObject({ ...section, path: Path });
export type UnsetSetting = z.infer<typeof UnsetSetting>;
