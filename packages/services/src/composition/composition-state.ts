import { type Facts, type ProviderRow, profileNames } from "@gantry/compose";
import { AppError, type OrgId, type ProviderId } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { readOrgFacts } from "../preset/org-facts.ts";

/** One written state of a layer: its text and the optional bundles in order. */
export type LayerText = {
  /** names the layer in dumps, differences and warnings */
  readonly label: string;
  /** 0: nothing was written yet */
  readonly revision: number;
  readonly bundles: readonly string[];
  readonly source: string;
};

/** What an org's composition is made of right now. */
export type CompositionState = {
  readonly profile: string;
  readonly providers: readonly ProviderRow[];
  /** written by the operator; read and composed, never written here */
  readonly plan: LayerText;
  readonly org: LayerText;
  /** revision of the org's layer that serves when `org` does not start; 0 is no layer, null nothing (M-13) */
  readonly previous: number | null;
  /** why `org` did not start, told by a worker; null: it did, or nobody tried */
  readonly problem: string | null;
  readonly facts: Facts;
};

export const emptySource = "[]\n";
export const layerText = (kind: "plan" | "org", { revision, bundles, source }: Omit<LayerText, "label">): LayerText => ({
  label: `${kind}@${revision}`,
  revision,
  bundles,
  source,
});
export const nothingWritten = layerText("org", { revision: 0, bundles: [], source: emptySource });

/** A text that is not stored yet, as a layer. */
export const draftOf = (source: string, bundles: readonly string[]): LayerText => ({
  label: "org (unsaved)",
  revision: 0,
  bundles,
  source,
});
/** The same for a text that nobody wrote: it came of a switch. */
export const switchedTo = (source: string, bundles: readonly string[]): LayerText => ({
  ...draftOf(source, bundles),
  label: "this change",
});

/** @throws NOT_FOUND for a profile that the product does not have */
export async function readState(tx: Tx, ctx: Pick<ServiceContext, "orgId" | "env">, profile: string): Promise<CompositionState> {
  if (!profileNames.includes(profile))
    throw new AppError("NOT_FOUND", `There is no profile of this name. Choose one of: ${profileNames.join(", ")}.`);
  const { orgId } = ctx;
  const current = { select: { revision: true, bundles: true, source: true } } as const;
  const told = { previousRevision: true, problemRevision: true, problem: true } as const;
  const pointers = await tx.compositionPointer.findMany({ where: { orgId, profile }, select: { kind: true, current, ...told } });
  const own = pointers.find(({ kind }) => kind === "org");
  const inForce = (kind: "plan" | "org") =>
    layerText(kind, pointers.find((pointer) => pointer.kind === kind)?.current ?? { revision: 0, bundles: [], source: emptySource });
  return {
    profile,
    providers: await readProviders(tx, orgId),
    plan: inForce("plan"),
    org: inForce("org"),
    previous: own?.previousRevision ?? null,
    problem: own && own.problemRevision === own.current.revision ? own.problem : null,
    facts: await readOrgFacts(tx, ctx),
  };
}

/** One revision of the org's layer; 0 is the state before the first. @throws NOT_FOUND */
export async function readRevision(tx: Tx, orgId: OrgId, profile: string, revision: number): Promise<LayerText> {
  if (revision === 0) return nothingWritten;
  const row = await tx.compositionRevision.findUnique({
    where: { orgId_profile_kind_revision: { orgId, profile, kind: "org", revision } },
    select: { revision: true, bundles: true, source: true },
  });
  if (!row) throw new AppError("NOT_FOUND", "The organisation's layer has no such revision. Load the list of revisions again.");
  return layerText("org", row);
}

/** In the order in which a session's start reads them: the dump shows what mounts (D-1). */
async function readProviders(tx: Tx, orgId: OrgId): Promise<ProviderRow[]> {
  const select = { id: true, slug: true, kind: true, baseUrl: true, models: true } as const;
  const rows = await tx.provider.findMany({ where: { orgId }, select, orderBy: { slug: "asc" } });
  return rows.map((row) => ({ ...row, id: row.id as ProviderId }));
}
