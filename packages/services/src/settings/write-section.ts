import { canonicalJson, checkSection, describeIssue, gateValue } from "@gantry/compose";
import { AppError, type Json, type JsonObject } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { readSection, type SectionRef, type StoredSection } from "./section.ts";
import { openSection, sealSection } from "./section-secrets.ts";

export type SectionChange = {
  readonly action: string;
  readonly expectedRevision?: number | undefined;
  /** the new section, of the present one with its secrets in clear */
  readonly change: (value: JsonObject) => JsonObject;
  /** secrets that the change replaces or takes out */
  readonly replaces: (path: string) => boolean;
};

/**
 * Writes one section: one writer of a namespace at a time, after the gate and the namespace's own checks (N-3, N-4, 9.2). Equal values commit nothing
 * and keep the revision (N-6). @throws REVISION_STALE, INPUT_REFUSED with the reasons
 */
export async function writeSection(tx: Tx, ctx: ServiceContext, ref: SectionRef, write: SectionChange): Promise<{ revision: number }> {
  await lockNamespace(tx, ctx, ref.namespace.name);
  const stored = await readSection(tx, ctx.orgId, ref);
  if (write.expectedRevision !== undefined && write.expectedRevision !== stored.revision)
    throw new AppError("REVISION_STALE", "Somebody else changed these settings meanwhile. Load them again and repeat your change.");
  const before = openSection(ctx, ref, stored, write.replaces);
  const wanted = write.change(before.value);
  refuseBad(ref, wanted);
  const { value, secrets } = sealSection(ctx, ref, wanted, stored, before.opened);
  const changed = [...changedKeys(stored.value, value), ...changedKeys(stored.secrets, secrets)];
  if (changed.length === 0) return { revision: stored.revision };
  const revision = stored.revision + 1;
  await storeSection(tx, ctx, ref, { value, secrets, revision });
  const { namespace, level, subject } = ref;
  const details = { namespace: namespace.name, level, revision, changed, values: plainValues(namespace, value, changed) };
  await writeAudit(tx, ctx, { action: write.action, ...(subject && { subject }), details });
  return { revision };
}

/** The queue of a namespace (N-3): held until the transaction ends. */
export async function lockNamespace(tx: Tx, { orgId }: ServiceContext, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`settings/${orgId}/${name}`}, 0))`;
}

function refuseBad({ namespace }: SectionRef, value: JsonObject): void {
  refuseUngated(value);
  refuseFor(checkSection(namespace, value));
}

/** Before anything walks through what came from outside: its depth has no bound yet (E-2). @throws INPUT_REFUSED */
export function refuseUngated(value: JsonObject): void {
  const gated = gateValue(value);
  if (!gated.ok) refuseFor(gated.issues.map(describeIssue));
}

function refuseFor(reasons: readonly string[]): void {
  if (reasons.length > 0) throw new AppError("INPUT_REFUSED", `These settings are not accepted. ${reasons.slice(0, 10).join(" ")}`);
}

async function storeSection(
  tx: Tx,
  ctx: ServiceContext,
  { namespace, level, subject }: SectionRef,
  section: Pick<StoredSection, "value" | "secrets" | "revision">,
): Promise<void> {
  const key = { orgId: ctx.orgId, namespace: namespace.name, level, subject };
  const content = { ...section, value: section.value as object, updatedBy: ctx.userId };
  await tx.setting.upsert({
    where: { orgId_namespace_level_subject: key },
    create: { ...key, ...content },
    update: content,
    select: { revision: true },
  });
}

const maxAuditedChars = 200;

/** What single values became, for the audit row; none of a namespace that keeps secrets. */
function plainValues({ secrets }: SectionRef["namespace"], value: JsonObject, changed: readonly string[]): JsonObject {
  if (secrets.length > 0) return {};
  const isPlain = (one: unknown) => one !== null && typeof one !== "object";
  const shown = changed.filter((key) => isPlain(value[key])).map((key) => [key, value[key] as Json] as const);
  return Object.fromEntries(shown.map(([key, one]) => [key, typeof one === "string" ? one.slice(0, maxAuditedChars) : one]));
}

/** Names of the members that differ: what an audit row may tell. */
function changedKeys(before: JsonObject, after: JsonObject): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => canonicalJson(before[key]) !== canonicalJson(after[key]));
}
