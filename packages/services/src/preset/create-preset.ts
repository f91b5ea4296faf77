import { AppError, type CreatePreset, type PresetId } from "@gantry/contracts";
import { type Tx, withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { movePointer } from "./move-pointer.ts";
import { readPresetGround } from "./preset-ground.ts";
import { findPreset, readPresets } from "./preset-row.ts";
import { readRevision } from "./read-revision.ts";
import { readSource } from "./read-source.ts";
import { storeDraft } from "./store-draft.ts";
import { writeRevision } from "./write-revision.ts";

const maxPresets = 100;
/** Behind the platform's own. */
const defaultOrder = 100;
const blank = { source: "[]\n", description: "" };

/**
 * A new preset of the organisation: with `source`, as a copy, or empty. A copy keeps the description, not the name or the place in lists (G-1). Content
 * that fails its checks makes a preset without a current revision, to be repaired (G-4).
 * @throws SLUG_TAKEN, also for the id of a platform preset (G-3); PRESET_UNKNOWN for `copyOf`; QUOTA_EXCEEDED above 100 presets
 */
export async function createPreset(ctx: ServiceContext, input: CreatePreset): Promise<{ slug: string }> {
  const { slug, name, copyOf } = input;
  return withOrg(ctx.orgId, async (tx) => {
    await assertFree(tx, ctx, slug);
    const origin = copyOf === undefined ? blank : await readOrigin(tx, ctx, copyOf);
    const source = input.source ?? origin.source;
    const { rows, problems } = readSource(slug, source, await readPresetGround(tx, ctx));
    const presetId = newId<PresetId>();
    await tx.preset.create({ data: { id: presetId, orgId: ctx.orgId, slug }, select: { id: true } });
    const content = { slug, name, description: origin.description, order: defaultOrder, source };
    if (problems.length > 0) await storeDraft(tx, ctx, presetId, content, problems);
    else await movePointer(tx, ctx, presetId, await writeRevision(tx, ctx, { presetId, ...content, rows }));
    const details = { slug, copyOf: copyOf ?? null, revision: problems.length > 0 ? null : 1 };
    await writeAudit(tx, ctx, { action: "preset.create", subject: presetId, details });
    return { slug };
  });
}

/** One preset of an organisation is made at a time, so that counting them and taking the slug hold. */
async function assertFree(tx: Tx, ctx: ServiceContext, slug: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`presets/${ctx.orgId}`}, 0))`;
  const roster = await readPresets(tx, ctx.orgId);
  const taken = roster.find((preset) => preset.slug === slug);
  if (taken?.isPlatform) throw new AppError("SLUG_TAKEN", "A preset of the installation has this id. Choose another id.");
  if (taken) throw new AppError("SLUG_TAKEN", "This organisation has a preset of this id already. Choose another id.");
  if (roster.filter((preset) => !preset.isPlatform).length >= maxPresets)
    throw new AppError("QUOTA_EXCEEDED", `An organisation has at most ${maxPresets} presets. Remove one first.`);
}

async function readOrigin(tx: Tx, ctx: ServiceContext, slug: string): Promise<{ source: string; description: string }> {
  const preset = await findPreset(tx, ctx.orgId, slug);
  if (preset.current) return readRevision(tx, ctx.orgId, preset, preset.current.revision);
  return preset.draft ?? blank;
}
