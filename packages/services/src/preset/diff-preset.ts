import { diffPresets, type RowDiff } from "@gantry/compose";
import type { DiffPreset } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { findPreset } from "./preset-row.ts";
import { readRevision } from "./read-revision.ts";

export type PresetDiff = {
  readonly rows: readonly RowDiff[];
  readonly display: readonly {
    readonly field: "name" | "description" | "order";
    readonly from: string | number;
    readonly to: string | number;
  }[];
};

/** What revision `to` has that `from` has not. @throws PRESET_UNKNOWN, NOT_FOUND for a revision */
export async function diffPreset(ctx: ServiceContext, input: DiffPreset): Promise<PresetDiff> {
  const [from, to] = await withOrg(ctx.orgId, async (tx) => {
    const preset = await findPreset(tx, ctx.orgId, input.slug);
    return [await readRevision(tx, ctx.orgId, preset, input.from), await readRevision(tx, ctx.orgId, preset, input.to)] as const;
  });
  const display = (["name", "description", "order"] as const).flatMap((field) =>
    from[field] === to[field] ? [] : [{ field, from: from[field], to: to[field] }],
  );
  return { rows: diffPresets(from.rows, to.rows), display };
}
