import type { PresetInput } from "@gantry/contracts";
import { type Tx, withOrg } from "@gantry/db";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { clearDefault } from "./clear-default.ts";
import { lockPreset } from "./lock-preset.ts";

/**
 * Removes a preset of the organisation, and the defaults that name it (G-5). Revisions that a session runs on, or is about to, stay for it (G-2).
 * @throws PRESET_UNKNOWN, PRESET_LOCKED
 */
export async function removePreset(ctx: ServiceContext, { slug }: PresetInput): Promise<{ slug: string }> {
  return withOrg(ctx.orgId, async (tx) => {
    const { id } = await lockPreset(tx, ctx, slug);
    const defaultsCleared = await clearDefault(tx, ctx, slug);
    const revisionsRemoved = await removeRevisions(tx, ctx, id);
    await tx.preset.delete({ where: { id, orgId: ctx.orgId }, select: { id: true } });
    await writeAudit(tx, ctx, { action: "preset.remove", subject: id, details: { slug, revisionsRemoved, defaultsCleared } });
    return { slug };
  });
}

/** A command that waits to put a session on this preset names it in its text; so might a message, which then keeps a revision too long, no more. */
function removeRevisions(tx: Tx, { orgId }: ServiceContext, presetId: string): Promise<number> {
  return tx.$executeRaw`
    DELETE FROM preset_revisions r WHERE r.org_id = ${orgId}::uuid AND r.preset_id = ${presetId}::uuid
      AND NOT EXISTS (SELECT FROM sessions s WHERE s.preset_id = r.preset_id AND s.preset_revision = r.revision)
      AND NOT EXISTS (
        SELECT FROM session_commands c
        WHERE c.org_id = ${orgId}::uuid AND c.consumed_at IS NULL AND strpos(c.payload::text, ${presetId}) > 0
      )`;
}
