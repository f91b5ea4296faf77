import { AppError, type DiscardDraft } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { assertDraft, lockPreset } from "./lock-preset.ts";
import { dropDraft } from "./move-pointer.ts";

/**
 * Puts away the text that waits to be repaired (G-4); the revision in force stays. A preset without a revision is nothing but its draft and keeps it: it can
 * be deleted. Safe to repeat. @throws PRESET_UNKNOWN, PRESET_LOCKED, REVISION_STALE when another draft is there than the one that was seen; CONFLICT
 */
export async function discardDraft(ctx: ServiceContext, { slug, expectedDraft }: DiscardDraft): Promise<{ slug: string }> {
  return withOrg(ctx.orgId, async (tx) => {
    const preset = await lockPreset(tx, ctx, slug);
    if (!preset.draft) return { slug };
    assertDraft(preset, expectedDraft);
    if (!preset.current)
      throw new AppError("CONFLICT", "This preset has no revision yet: its draft is all of it. Repair it, or delete the preset.");
    await dropDraft(tx, ctx, preset.id);
    await writeAudit(tx, ctx, { action: "preset.discardDraft", subject: preset.id, details: { slug, revision: preset.current.revision } });
    return { slug };
  });
}
