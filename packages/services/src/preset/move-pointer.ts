import type { Tx } from "@gantry/db";
import type { ServiceContext } from "../context.ts";

/** Puts a revision in force for new sessions; the preset's lock is held. */
export async function movePointer(tx: Tx, ctx: ServiceContext, presetId: string, revision: number): Promise<void> {
  await tx.preset.update({ where: { id: presetId, orgId: ctx.orgId }, data: { currentRevision: revision }, select: { id: true } });
}

/** Forgets the text that waited to be repaired. */
export async function dropDraft(tx: Tx, ctx: ServiceContext, presetId: string): Promise<void> {
  await tx.$executeRaw`UPDATE presets SET draft = NULL, updated_at = now() WHERE org_id = ${ctx.orgId}::uuid AND id = ${presetId}::uuid`;
}
