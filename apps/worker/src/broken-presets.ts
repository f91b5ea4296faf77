import type { OrgId } from "@gantry/contracts";
import { storable, withOrg } from "@gantry/db";
import type { SessionHeader } from "./load-session.ts";

type Stored = Pick<SessionHeader, "preset">;

/**
 * Tells the preset's list that its current revision does not start, with the reason (G-7). It holds for the composition that it was tried on, and no
 * longer. Platform presets are not an org's to mark.
 */
export async function markBroken(orgId: OrgId, { preset }: Stored, brokenOn: string, reason: string): Promise<void> {
  if (!preset || preset.revision !== preset.current) return;
  const { id, revision } = preset;
  await withOrg(orgId, (tx) =>
    tx.preset.updateMany({
      where: { id, orgId, currentRevision: revision },
      data: { brokenRevision: revision, brokenReason: storable(reason), brokenOn },
    }),
  );
}

/** Takes the mark back from a revision that starts again, as after an upgrade. */
export async function markMended(orgId: OrgId, { preset }: Stored): Promise<void> {
  if (!preset?.isBroken) return;
  const { id, revision } = preset;
  await withOrg(orgId, (tx) =>
    tx.preset.updateMany({
      where: { id, orgId, brokenRevision: revision },
      data: { brokenRevision: null, brokenReason: null, brokenOn: null },
    }),
  );
}
