import { composePreset, type DumpedRow } from "@gantry/compose";
import type { PresetRevisionInput } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { dumpRows } from "./dump-rows.ts";
import { readPresetGround } from "./preset-ground.ts";
import { findPreset } from "./preset-row.ts";
import { readRevision } from "./read-revision.ts";

export type PresetRevisionDetail = {
  readonly source: string;
  readonly name: string;
  readonly description: string;
  readonly order: number;
  /** what it would mount today */
  readonly rows: readonly DumpedRow[];
};

/** One revision of a preset, in force or not. @throws PRESET_UNKNOWN, NOT_FOUND for the revision */
export async function getPresetRevision(ctx: ServiceContext, { slug, revision }: PresetRevisionInput): Promise<PresetRevisionDetail> {
  const [stored, { facts, hostRows }] = await withOrg(ctx.orgId, async (tx) => {
    const preset = await findPreset(tx, ctx.orgId, slug);
    return [await readRevision(tx, ctx.orgId, preset, revision), await readPresetGround(tx, ctx)] as const;
  });
  const { source, name, description, order, rows } = stored;
  return { source, name, description, order, rows: dumpRows(composePreset({ slug, revision, rows, facts, hostRows })) };
}
