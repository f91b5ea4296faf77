import { AppError, type RollBackPreset } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { changedRowIds } from "./changed-rows.ts";
import { assertCurrent, lockPreset } from "./lock-preset.ts";
import { movePointer } from "./move-pointer.ts";
import { readPresetGround } from "./preset-ground.ts";
import { presetState } from "./preset-state.ts";
import { readRevision } from "./read-revision.ts";

/**
 * Puts another revision of the preset in force for new sessions. Only the pointer moves: revisions, draft and running sessions stay as they are (G-2).
 * @throws PRESET_UNKNOWN, PRESET_LOCKED, REVISION_STALE; NOT_FOUND for the revision, PRESET_BROKEN when it can no longer be mounted
 */
export async function rollBackPreset(ctx: ServiceContext, input: RollBackPreset): Promise<{ revision: number }> {
  const { slug, revision, expectedRevision, reason = "" } = input;
  return withOrg(ctx.orgId, async (tx) => {
    const preset = await lockPreset(tx, ctx, slug);
    assertCurrent(preset, expectedRevision);
    if (preset.current?.revision === revision) return { revision };
    const target = await readRevision(tx, ctx.orgId, preset, revision);
    const { state, reasons } = presetState(ctx.orgId, { ...preset, current: target }, await readPresetGround(tx, ctx));
    if (state !== "ok") throw new AppError("PRESET_BROKEN", `This revision cannot be mounted. ${reasons.slice(0, 3).join(" ")}`);
    await movePointer(tx, ctx, preset.id, revision);
    const rows = changedRowIds(preset.current?.rows ?? [], target.rows);
    const details = { slug, from: expectedRevision, revision, rows, reason };
    await writeAudit(tx, ctx, { action: "preset.rollBack", subject: preset.id, details });
    return { revision };
  });
}
