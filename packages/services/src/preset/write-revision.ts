import { createHash } from "node:crypto";
import { canonicalJson, type Row } from "@gantry/compose";
import type { PresetId } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import type { ServiceContext } from "../context.ts";

export type NewRevision = {
  readonly presetId: PresetId;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly order: number;
  readonly rows: readonly Row[];
  readonly source: string;
  readonly reason?: string | undefined;
};

/** Identifies what a revision mounts; its name and place in lists grant nothing and do not count (G-1, G-2). */
export const hashOfRows = (rows: readonly Row[]): string => createHash("sha256").update(canonicalJson(rows)).digest("hex");

/** Adds a revision after all there ever were, also those that were rolled back; the preset's lock is held. Returns its number. */
export async function writeRevision(tx: Tx, ctx: ServiceContext, revision: NewRevision): Promise<number> {
  const { presetId, slug, name, description, order, rows, source, reason = "" } = revision;
  const newest = await tx.presetRevision.aggregate({ where: { orgId: ctx.orgId, presetId }, _max: { revision: true } });
  const number = (newest._max.revision ?? 0) + 1;
  await tx.presetRevision.create({
    data: {
      presetId,
      revision: number,
      orgId: ctx.orgId,
      slug,
      name,
      description,
      position: order,
      rows: JSON.parse(JSON.stringify(rows)),
      source,
      hash: hashOfRows(rows),
      authorId: ctx.userId,
      reason,
    },
    select: { revision: true },
  });
  return number;
}
