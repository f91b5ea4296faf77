import type { Json } from "@gantry/contracts";
import { readOnly, type Tx } from "@gantry/db";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { auditedDiff } from "./audited-diff.ts";
import type { CompositionState, LayerText } from "./composition-state.ts";

export type ChangeFact = {
  /** the procedure's name */
  readonly action: string;
  readonly subject?: string;
  readonly reason: string | undefined;
  /** what else the audit row keeps, given the revision that is in force then */
  readonly details?: (revision: number) => { readonly [key: string]: Json };
};

/**
 * Stores `next` as a new revision and puts it in force. Called under the composition's lock. The audit row is the change event (N-10): workers read
 * the pointer whenever a session starts, so nothing else has to be told. @returns the number of the revision
 */
export async function commitRevision(
  tx: Tx,
  ctx: ServiceContext,
  state: CompositionState,
  next: LayerText,
  fact: ChangeFact,
): Promise<number> {
  const { orgId, userId: authorId } = ctx;
  const of = { orgId, profile: state.profile, kind: "org" };
  const newest = await tx.compositionRevision.aggregate({ where: of, _max: { revision: true } });
  const revision = (newest._max.revision ?? 0) + 1; // also after a roll back: a number names one content for ever
  const content = { bundles: [...next.bundles], source: next.source, authorId, reason: fact.reason ?? "" };
  await tx.compositionRevision.create({ data: { ...of, revision, ...content }, select: { revision: true } });
  const { org, problem, previous } = state;
  await movePointer(tx, ctx, state, { ...next, revision }, { ...fact, previous: problem === null ? org.revision : previous });
  return revision;
}

/**
 * Puts a stored revision in force; 0 takes the org's layer out. `previous` may come back when it does not start; null: nothing, as after a roll back, which
 * withdraws what was there (M-13). Sessions that could not run are looked at again.
 */
export async function movePointer(
  tx: Tx,
  ctx: ServiceContext,
  state: CompositionState,
  next: LayerText,
  { action, subject, reason, details, previous }: ChangeFact & { readonly previous: number | null },
): Promise<void> {
  const of = { orgId: ctx.orgId, profile: state.profile, kind: "org" };
  const { revision } = next;
  if (revision === 0) await tx.compositionPointer.deleteMany({ where: of });
  else {
    const moved = { revision, previousRevision: previous, problemRevision: null, problem: null };
    const where = { orgId_profile_kind: of };
    await tx.compositionPointer.upsert({ where, create: { ...of, ...moved }, update: moved, select: { revision: true } });
  }
  await tx.session.updateMany({ where: { orgId: ctx.orgId, status: readOnly }, data: { tryAgain: true } });
  const change = { profile: state.profile, from: state.org.revision, to: revision, reason: reason ?? "", diff: auditedDiff(state, next) };
  await writeAudit(tx, ctx, { action, subject: subject ?? state.profile, details: { ...change, ...details?.(revision) } });
}
