import { z } from "zod";
import { SessionId } from "./ids.ts";
import { ClientKey, line, maxRevision, OrgSlug, PresetSlug, text } from "./inputs.ts";

/** What the procedures of presets accept. A `source` is YAML or JSON text: the list of rows. */
const Source = text(262_144);
const Reason = text(500).optional();
const preset = { org: OrgSlug, slug: PresetSlug };
const Revision = z.int().positive().max(maxRevision);
const display = { name: line(80), description: text(500), order: z.int().min(0).max(1_000_000) };

export const PresetInput = z.strictObject(preset);
export type PresetInput = z.infer<typeof PresetInput>;
export const PresetRevisionInput = z.strictObject({ ...preset, revision: Revision });
export type PresetRevisionInput = z.infer<typeof PresetRevisionInput>;
/** `copyOf` takes its rows and description; without it the preset begins with `source`, or empty. */
export const CreatePreset = z.strictObject({ ...preset, name: line(80), copyOf: PresetSlug.optional(), source: Source.optional() });
export type CreatePreset = z.infer<typeof CreatePreset>;
/**
 * `expectedRevision`: the revision that was edited, null when there was none; another one in force refuses the save. So does another draft than the one
 * from `expectedDraft` (its `at`, null for none), for callers that say it.
 */
export const SavePreset = z.strictObject({
  ...preset,
  ...display,
  source: Source,
  expectedRevision: Revision.nullable(),
  expectedDraft: z.iso.datetime().nullable().optional(),
  reason: Reason,
});
export type SavePreset = z.infer<typeof SavePreset>;
/** `expectedDraft`: the `at` of the draft that was seen; another one is not put away. */
export const DiscardDraft = z.strictObject({ ...preset, expectedDraft: z.iso.datetime() });
export type DiscardDraft = z.infer<typeof DiscardDraft>;
export const CheckPreset = z.strictObject({ ...preset, source: Source });
export type CheckPreset = z.infer<typeof CheckPreset>;
export const DiffPreset = z.strictObject({ ...preset, from: Revision, to: Revision });
export type DiffPreset = z.infer<typeof DiffPreset>;
export const RollBackPreset = z.strictObject({ ...preset, revision: Revision, expectedRevision: Revision.nullable(), reason: Reason });
export type RollBackPreset = z.infer<typeof RollBackPreset>;
export const ListPresetSessions = z.strictObject({
  ...preset,
  revision: Revision,
  cursor: z.string().min(1).max(200).optional(),
  limit: z.int().min(1).max(100).optional(),
});
export type ListPresetSessions = z.infer<typeof ListPresetSessions>;
/** Puts a session on the current revision of a preset (G-20). */
export const SelectPreset = z.strictObject({ org: OrgSlug, sessionId: SessionId, preset: PresetSlug, clientKey: ClientKey });
export type SelectPreset = z.infer<typeof SelectPreset>;
