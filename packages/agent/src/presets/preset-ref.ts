import type { MountRow } from "@gantry/compose";
import { AppError } from "@gantry/contracts";

/** One revision of a preset, ready to mount: id and revision say it to any worker (PRE-5). */
export type PresetRef = {
  readonly presetId: string;
  readonly slug: string;
  readonly revision: number;
  /** of what is mounted: the same revision under other facts is another one (E-9) */
  readonly hash: string;
  readonly mounts: readonly MountRow[];
};

/** Identifies a generation within its root (G-6). */
export const generationId = ({ presetId, revision, hash }: PresetRef): string => `${presetId}@${revision}:${hash}`;

const named = ({ slug, revision }: PresetRef): string => `The preset "${slug}" in revision ${revision}`;

/** Reasons come with a stop at their end or without. */
const list = (reasons: readonly string[]): string => reasons.map((reason) => reason.replace(/\.+$/, "")).join("; ");

export const brokenPreset = (preset: PresetRef, reasons: readonly string[]): AppError =>
  new AppError("PRESET_BROKEN", `${named(preset)} cannot be used: ${list(reasons)}. Choose another preset until this one is repaired.`, {
    data: { slug: preset.slug, revision: preset.revision },
  });

export const delayedPreset = (preset: PresetRef, reasons: readonly string[], retryInMs: number): AppError =>
  new AppError(
    "UNAVAILABLE",
    `${named(preset)} did not start: ${list(reasons)}. Try again in ${Math.max(1, Math.ceil(retryInMs / 1000))} seconds.`,
  );
