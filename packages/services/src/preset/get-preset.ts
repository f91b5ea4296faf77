import { composePreset, type DumpedRow } from "@gantry/compose";
import type { PresetInput } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { readDefaultPreset } from "./default-preset.ts";
import { dumpRows } from "./dump-rows.ts";
import { listRevisions, type RevisionSummary } from "./list-revisions.ts";
import { readPresetGround } from "./preset-ground.ts";
import { type PresetItem, presetItem } from "./preset-item.ts";
import { findPreset, type PresetDraft } from "./preset-row.ts";
import { readRevision } from "./read-revision.ts";

export type PresetDetail = PresetItem & {
  /** text of the revision in force, or of the draft while there is none */
  readonly source: string;
  /** what the revision in force mounts */
  readonly rows: readonly DumpedRow[];
  readonly draft: PresetDraft | null;
  /** newest first */
  readonly revisions: readonly RevisionSummary[];
};

/** One preset, also a broken one, with its draft and history. @throws PRESET_UNKNOWN */
export async function getPreset(ctx: ServiceContext, { slug }: PresetInput): Promise<PresetDetail> {
  return withOrg(ctx.orgId, async (tx) => {
    const preset = await findPreset(tx, ctx.orgId, slug);
    const ground = await readPresetGround(tx, ctx);
    const item = presetItem(ctx.orgId, preset, { ground, defaultSlug: await readDefaultPreset(tx, ctx) });
    const revisions = await listRevisions(tx, ctx.orgId, preset.id);
    const { current, draft } = preset;
    if (!current) return { ...item, source: draft?.source ?? "", rows: [], draft, revisions };
    const { source } = await readRevision(tx, ctx.orgId, preset, current.revision);
    const rows = dumpRows(
      composePreset({ slug, revision: current.revision, rows: current.rows, facts: ground.facts, hostRows: ground.hostRows }),
    );
    return { ...item, source, rows, draft, revisions };
  });
}
