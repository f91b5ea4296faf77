import { type DumpedRow, diffPresets, type Issue, type RowDiff } from "@gantry/compose";
import type { CheckPreset } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { dumpRows } from "./dump-rows.ts";
import { readPresetGround } from "./preset-ground.ts";
import { findPreset } from "./preset-row.ts";
import { readSource } from "./read-source.ts";

export type CheckedPreset = {
  readonly problems: readonly Issue[];
  /** what would mount */
  readonly rows: readonly DumpedRow[];
  /** against the revision in force */
  readonly diff: readonly RowDiff[];
};

/** The dry run of a text: what it would mount and what stands against it. Starts nothing and stores nothing. @throws PRESET_UNKNOWN */
export async function checkPresetSource(ctx: ServiceContext, { slug, source }: CheckPreset): Promise<CheckedPreset> {
  const [preset, ground] = await withOrg(
    ctx.orgId,
    async (tx) => [await findPreset(tx, ctx.orgId, slug), await readPresetGround(tx, ctx)] as const,
  );
  const { rows, problems, composition } = readSource(slug, source, ground);
  if (!composition) return { problems, rows: [], diff: [] };
  return { problems, rows: dumpRows(composition), diff: diffPresets(preset.current?.rows ?? [], rows) };
}
