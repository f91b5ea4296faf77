import { withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";

export type PresetView = {
  readonly id: string;
  /** the newest revision; a session stays on the one it started with */
  readonly revision: number;
  readonly slug: string;
  readonly name: string;
  /** shipped with the installation, read-only for organisations */
  readonly isPlatform: boolean;
};

/** Presets a new session can start from, newest revision of each: the organisation's own and the platform's. */
export async function listPresets(ctx: ServiceContext): Promise<PresetView[]> {
  const rows = await withOrg(ctx.orgId, (tx) =>
    tx.preset.findMany({
      where: { OR: [{ orgId: ctx.orgId }, { orgId: null }] },
      select: { id: true, currentRevision: true, slug: true, orgId: true },
    }),
  );
  return rows.map(({ orgId, currentRevision, ...row }) => ({
    ...row,
    revision: currentRevision ?? 0,
    name: row.slug,
    isPlatform: orgId === null,
  }));
}
