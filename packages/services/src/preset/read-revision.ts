import { presetText, type Row } from "@gantry/compose";
import { AppError, type OrgId } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import type { PresetRow, RevisionRow } from "./preset-row.ts";

/** A revision with its text: as it was written, or made of its rows where they came with the installation. */
export type StoredRevision = RevisionRow & { readonly source: string };

/** @throws NOT_FOUND when the preset has no such revision */
export async function readRevision(tx: Tx, orgId: OrgId, preset: Pick<PresetRow, "id">, revision: number): Promise<StoredRevision> {
  const found = await tx.presetRevision.findFirst({
    where: { presetId: preset.id, revision, OR: [{ orgId }, { orgId: null }] },
    select: { hash: true, name: true, description: true, position: true, rows: true, source: true },
  });
  if (!found) throw new AppError("NOT_FOUND", "This preset has no such revision. Load it again.");
  const { position: order, source, ...rest } = found;
  const rows = rest.rows as unknown as readonly Row[];
  return { ...rest, revision, order, rows, source: source ?? presetText(rows) };
}
