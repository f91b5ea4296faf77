import type { Issue } from "@gantry/compose";
import type { SavePreset } from "@gantry/contracts";
import { type Tx, withOrg } from "@gantry/db";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { changedRowIds } from "./changed-rows.ts";
import { assertCurrent, assertDraft, lockPreset } from "./lock-preset.ts";
import { dropDraft, movePointer } from "./move-pointer.ts";
import { readPresetGround } from "./preset-ground.ts";
import type { PresetRow } from "./preset-row.ts";
import { readRevision, type StoredRevision } from "./read-revision.ts";
import { type ReadSource, readSource } from "./read-source.ts";
import { storeDraft } from "./store-draft.ts";
import { hashOfRows, writeRevision } from "./write-revision.ts";

export type SavedPreset = {
  readonly saved: "revision" | "draft";
  /** the one in force after the save */
  readonly revision: number | null;
  readonly problems: readonly Issue[];
};

/**
 * Makes a text the preset's current revision, if it passes every check; a text that does not is kept as a draft with its problems, and the current
 * revision stays in force (G-4). A good save drops the draft. Unchanged content makes no revision; one that a worker could not mount is tried again.
 * @throws PRESET_UNKNOWN, PRESET_LOCKED, REVISION_STALE when another revision or draft is there than the one that was edited
 */
export async function savePreset(ctx: ServiceContext, input: SavePreset): Promise<SavedPreset> {
  const ground = await withOrg(ctx.orgId, (tx) => readPresetGround(tx, ctx));
  const read = readSource(input.slug, input.source, ground);
  return withOrg(ctx.orgId, async (tx) => {
    const preset = await lockPreset(tx, ctx, input.slug);
    assertCurrent(preset, input.expectedRevision);
    assertDraft(preset, input.expectedDraft);
    return read.problems.length > 0 ? saveDraft(tx, ctx, preset, input, read) : saveRevision(tx, ctx, preset, input, read);
  });
}

async function saveDraft(
  tx: Tx,
  ctx: ServiceContext,
  preset: PresetRow,
  input: SavePreset,
  { problems }: ReadSource,
): Promise<SavedPreset> {
  await storeDraft(tx, ctx, preset.id, input, problems);
  const revision = preset.current?.revision ?? null;
  const details = { slug: preset.slug, revision, problems: problems.length };
  await writeAudit(tx, ctx, { action: "preset.saveDraft", subject: preset.id, details });
  return { saved: "draft", revision, problems };
}

async function saveRevision(tx: Tx, ctx: ServiceContext, preset: PresetRow, input: SavePreset, { rows }: ReadSource): Promise<SavedPreset> {
  const { id: presetId, slug, current, draft } = preset;
  const before = current && (await readRevision(tx, ctx.orgId, preset, current.revision));
  if (before && isSame(before, input, hashOfRows(rows))) return keepRevision(tx, ctx, preset, before.revision);
  const { name, description, order, source, reason } = input;
  const revision = await writeRevision(tx, ctx, { presetId, slug, name, description, order, rows, source, reason });
  await movePointer(tx, ctx, presetId, revision);
  if (draft) await dropDraft(tx, ctx, presetId);
  const details = { slug, from: before?.revision ?? null, revision, rows: changedRowIds(before?.rows ?? [], rows), reason: reason ?? "" };
  await writeAudit(tx, ctx, { action: "preset.save", subject: presetId, details });
  return { saved: "revision", revision, problems: [] };
}

const isSame = (before: StoredRevision, { name, description, order, source }: SavePreset, hash: string): boolean =>
  before.hash === hash && before.source === source && before.name === name && before.description === description && before.order === order;

/** Nothing new to store. What stood against the revision goes: the draft, and a worker's word that it does not mount. */
async function keepRevision(tx: Tx, ctx: ServiceContext, preset: PresetRow, revision: number): Promise<SavedPreset> {
  const retried = preset.brokenRevision === revision;
  if (preset.draft) await dropDraft(tx, ctx, preset.id);
  if (retried)
    await tx.preset.update({
      where: { id: preset.id, orgId: ctx.orgId },
      data: { brokenRevision: null, brokenReason: null, brokenOn: null },
    });
  if (preset.draft || retried) {
    const details = { slug: preset.slug, from: revision, revision, retried };
    await writeAudit(tx, ctx, { action: "preset.save", subject: preset.id, details });
  }
  return { saved: "revision", revision, problems: [] };
}
