import type { Tx } from "@gantry/db";

/** The preset revision that a session runs on, as people see it. */
export type SessionPreset = {
  readonly slug: string;
  readonly name: string;
  readonly revision: number;
  /** whether new sessions of this preset start on the same revision; false also when the preset was removed */
  readonly isCurrent: boolean;
};

/** Null when the revision is not stored any more. */
export async function readSessionPreset(tx: Tx, presetId: string, revision: number): Promise<SessionPreset | null> {
  const [found] = await tx.$queryRaw<SessionPreset[]>`
    SELECT r.slug, r.name, r.revision, COALESCE(p.current_revision = r.revision, false) AS "isCurrent"
    FROM preset_revisions r LEFT JOIN presets p ON p.id = r.preset_id
    WHERE r.preset_id = ${presetId}::uuid AND r.revision = ${revision}::int`;
  return found ?? null;
}
