import type { Issue } from "@gantry/compose";
import type { Tx } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import type { PresetDraft } from "./preset-row.ts";

/** Keeps a text that failed its checks, in place of the one kept before; the preset's lock is held (G-4). */
export async function storeDraft(
  tx: Tx,
  ctx: ServiceContext,
  presetId: string,
  { source, name, description, order }: Pick<PresetDraft, "source" | "name" | "description" | "order">,
  problems: readonly Issue[],
): Promise<void> {
  const draft: PresetDraft = {
    source,
    name,
    description,
    order,
    problems: [...problems],
    authorId: ctx.userId,
    at: new Date().toISOString(),
  };
  await tx.preset.update({ where: { id: presetId, orgId: ctx.orgId }, data: { draft }, select: { id: true } });
}
