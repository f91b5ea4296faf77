import { createHash } from "node:crypto";
import type { Json } from "@gantry/contracts";
import type { Owner } from "./owner.ts";

export type PlatformPreset = {
  readonly id: string;
  readonly slug: string;
  readonly revision: number;
  readonly name: string;
  readonly description: string;
  readonly position: number;
  readonly rows: Json;
};

/** Writes one revision of a platform preset, as the schema's owner, and points the preset at its newest. A revision never changes: repeating it keeps what is there. */
export async function writePlatformPreset(owner: Owner, preset: PlatformPreset): Promise<void> {
  const { id, slug, revision, name, description, position } = preset;
  const rows = JSON.stringify(preset.rows);
  const hash = createHash("sha256").update(rows).digest("hex");
  await owner.query(
    `INSERT INTO preset_revisions (preset_id, revision, org_id, slug, name, description, position, rows, hash)
     VALUES ($1, $2, NULL, $3, $4, $5, $6, $7::jsonb, $8) ON CONFLICT (preset_id, revision) DO NOTHING`,
    [id, revision, slug, name, description, position, rows, hash],
  );
  await owner.query(
    `INSERT INTO presets (id, org_id, slug, current_revision) VALUES ($1, NULL, $2, $3)
     ON CONFLICT (id) DO UPDATE SET current_revision = GREATEST(presets.current_revision, EXCLUDED.current_revision), updated_at = now()`,
    [id, slug, revision],
  );
}
