import type { CompositionInput } from "@gantry/contracts";
import { type Tx, withOrg } from "@gantry/db";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { readState } from "./composition-state.ts";

export type LayerView = {
  readonly source: string;
  readonly bundles: readonly string[];
  /** what a change has to expect; 0: nothing written */
  readonly revision: number;
  /** newest first */
  readonly revisions: readonly LayerRevision[];
};
type LayerRevision = {
  readonly revision: number;
  /** null for somebody who is no member any more */
  readonly authorName: string | null;
  readonly reason: string;
  readonly createdAt: Date;
};

const maxRevisions = 200;

/** What the org has written itself, for its editor, and its earlier revisions. The read is audited (D-7). @throws NOT_FOUND for an unknown profile */
export function getLayer(ctx: ServiceContext, { profile }: CompositionInput): Promise<LayerView> {
  return withOrg(ctx.orgId, async (tx) => {
    const { org } = await readState(tx, ctx, profile);
    const revisions = await readRevisions(tx, ctx, profile);
    await writeAudit(tx, ctx, { action: "composition.layer", subject: profile, details: { revision: org.revision } });
    return { source: org.source, bundles: org.bundles, revision: org.revision, revisions };
  });
}

async function readRevisions(tx: Tx, { orgId }: ServiceContext, profile: string): Promise<LayerRevision[]> {
  const rows = await tx.compositionRevision.findMany({
    where: { orgId, profile, kind: "org" },
    orderBy: { revision: "desc" },
    take: maxRevisions,
    select: { revision: true, authorId: true, reason: true, createdAt: true },
  });
  const authorIds = [...new Set(rows.flatMap(({ authorId }) => authorId ?? []))];
  const authors = await tx.user.findMany({ where: { id: { in: authorIds } }, select: { id: true, name: true } });
  const names = new Map(authors.map(({ id, name }) => [id, name]));
  return rows.map(({ authorId, ...row }) => ({ ...row, authorName: names.get(authorId ?? "") ?? null }));
}
