import { createHash } from "node:crypto";
import type { Json } from "@gantry/contracts";
import type { Owner } from "./owner.ts";
import { standardPresetId } from "./standard-preset.ts";

/** Writes the platform's preset `standard`, revision 1, as the schema's owner. A revision never changes: repeating it keeps what is there. */
export async function writeStandardPreset(owner: Owner, rows: Json): Promise<void> {
  const text = JSON.stringify(rows);
  const hash = createHash("sha256").update(text).digest("hex");
  await owner.query(
    `INSERT INTO presets (id, revision, org_id, slug, name, rows, hash) VALUES ($1, 1, NULL, 'standard', 'Standard', $2::jsonb, $3)
     ON CONFLICT (id, revision) DO NOTHING`,
    [standardPresetId, text, hash],
  );
}
