import type { ListPresetSessions } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { cursorToPlace, defaultPageSize, type Page, toPage } from "../paging.ts";
import { activeBefore, lastActiveFirst, placeOfSession } from "../session/session-order.ts";
import { findPreset } from "./preset-row.ts";

export type PresetSession = {
  readonly id: string;
  readonly title: string | null;
  readonly status: string;
  readonly lastActivityAt: Date;
};

/** The organisation's sessions on one revision of a preset, last active first. @throws PRESET_UNKNOWN */
export async function listPresetSessions(ctx: ServiceContext, input: ListPresetSessions): Promise<Page<PresetSession>> {
  const limit = input.limit ?? defaultPageSize;
  const after = input.cursor ? cursorToPlace(input.cursor) : undefined;
  const rows = await withOrg(ctx.orgId, async (tx) => {
    const { id: presetId } = await findPreset(tx, ctx.orgId, input.slug);
    return tx.session.findMany({
      where: { orgId: ctx.orgId, presetId, presetRevision: input.revision, ...(after && activeBefore(after)) },
      orderBy: lastActiveFirst,
      take: limit + 1,
      select: { id: true, title: true, status: true, lastActivityAt: true },
    });
  });
  return toPage(rows, limit, (row) => row, placeOfSession);
}
