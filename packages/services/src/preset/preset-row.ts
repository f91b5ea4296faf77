import type { Issue, Row } from "@gantry/compose";
import { AppError, type OrgId, type PresetId } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import { z } from "zod";

/** A text that failed its checks, waiting to be repaired (G-4). */
export const PresetDraft = z.object({
  source: z.string(),
  name: z.string(),
  description: z.string(),
  order: z.number().int(),
  problems: z.array(z.custom<Issue>((value) => typeof value === "object" && value !== null)),
  authorId: z.string(),
  /** ISO 8601 */
  at: z.string(),
});
export type PresetDraft = z.infer<typeof PresetDraft>;

/** A preset that the organisation can name, with its current revision. */
export type PresetRow = {
  readonly id: PresetId;
  readonly slug: string;
  readonly isPlatform: boolean;
  readonly draft: PresetDraft | null;
  readonly brokenRevision: number | null;
  readonly brokenReason: string | null;
  /** hash of the composition that it was found on; null: found by an earlier release */
  readonly brokenOn: string | null;
  /** null while no version of it was valid (G-4) */
  readonly current: RevisionRow | null;
};
export type RevisionRow = {
  readonly revision: number;
  readonly hash: string;
  readonly name: string;
  readonly description: string;
  readonly order: number;
  readonly rows: readonly Row[];
};

type Stored = Omit<PresetRow, "draft"> & { draft: unknown };

/** The roster in one query: the organisation's own presets, then the platform's (G-3); of one slug only, when given. */
export async function readPresets(tx: Tx, orgId: OrgId, slug: string | null = null): Promise<PresetRow[]> {
  const rows = await tx.$queryRaw<Stored[]>`
    SELECT p.id, p.slug, p.org_id IS NULL AS "isPlatform", p.draft, p.broken_revision AS "brokenRevision", p.broken_reason AS "brokenReason", p.broken_on AS "brokenOn",
      CASE WHEN r.revision IS NULL THEN NULL ELSE jsonb_build_object('revision', r.revision, 'hash', r.hash, 'name', r.name,
        'description', r.description, 'order', r.position, 'rows', r.rows) END AS current
    FROM presets p LEFT JOIN preset_revisions r ON r.preset_id = p.id AND r.revision = p.current_revision
    WHERE (p.org_id = ${orgId}::uuid OR p.org_id IS NULL) AND (${slug}::text IS NULL OR p.slug = ${slug}::text)
    ORDER BY p.org_id NULLS LAST`;
  return rows.map((row) => ({ ...row, draft: row.draft === null ? null : PresetDraft.parse(row.draft) }));
}

/** One preset of the roster. @throws PRESET_UNKNOWN naming what the organisation has, and nothing else (KN-092) */
export async function findPreset(tx: Tx, orgId: OrgId, slug: string): Promise<PresetRow> {
  const [preset] = await readPresets(tx, orgId, slug);
  if (preset) return preset;
  const known = (await readPresets(tx, orgId)).map((row) => row.slug).sort();
  throw new AppError("PRESET_UNKNOWN", `There is no such preset. This organisation can use: ${known.join(", ")}.`);
}

/** What a list calls it: its current revision's words, or those of its draft. */
export function displayOf({ slug, current, draft }: PresetRow): { name: string; description: string; order: number } {
  const { name, description, order } = current ?? draft ?? { name: slug, description: "", order: 100 };
  return { name, description, order };
}
