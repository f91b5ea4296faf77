import type { OrgId } from "@gantry/contracts";
import type { Tx } from "@gantry/db";

export type RevisionSummary = {
  readonly revision: number;
  readonly hash: string;
  readonly name: string;
  /** null for the platform's and for people who left */
  readonly authorName: string | null;
  readonly reason: string;
  readonly createdAt: Date;
  /** how many sessions of the organisation are on it */
  readonly sessions: number;
};

/** Older ones stay stored, and in force for their sessions. */
const maxListed = 200;

/** The newest revisions of a preset, newest first. */
export async function listRevisions(tx: Tx, orgId: OrgId, presetId: string): Promise<RevisionSummary[]> {
  return tx.$queryRaw<RevisionSummary[]>`
    SELECT r.revision, r.hash, r.name, u.name AS "authorName", r.reason, r.created_at AS "createdAt",
      (SELECT count(*)::int FROM sessions s
        WHERE s.org_id = ${orgId}::uuid AND s.preset_id = r.preset_id AND s.preset_revision = r.revision) AS sessions
    FROM preset_revisions r LEFT JOIN users u ON u.id = r.author_id
    WHERE r.preset_id = ${presetId}::uuid AND (r.org_id = ${orgId}::uuid OR r.org_id IS NULL)
    ORDER BY r.revision DESC LIMIT ${maxListed}`;
}
