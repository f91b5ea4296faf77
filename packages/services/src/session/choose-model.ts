import { AppError, type CreateSession, type WorkspaceId } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { readEffective } from "../settings/read-effective.ts";

type Wanted = Pick<CreateSession, "providerSlug" | "model">;
type Route = { readonly provider: string; readonly model: string };

/**
 * The route a new session is pinned to. Nothing asked: the default of the person, the workspace or the organisation (N-2), else the organisation's first
 * provider and its first model. @throws NO_MODEL when the organisation has no provider, or none that offers what was asked or is set as default
 */
export async function chooseModel(tx: Tx, ctx: ServiceContext, wanted: Wanted & Pick<CreateSession, "workspaceId">): Promise<Route> {
  const { providerSlug: slug, model, workspaceId } = wanted;
  const preferred = slug || model ? null : await readDefaultRoute(tx, ctx, workspaceId);
  if (!preferred) return findRoute(tx, ctx, { providerSlug: slug, model });
  const { provider, model: usual } = preferred;
  const isOffered = await tx.provider.count({ where: { orgId: ctx.orgId, slug: provider, models: { has: usual } } });
  if (isOffered > 0) return { provider, model: usual };
  throw new AppError(
    "NO_MODEL",
    "The default model is not offered by a provider of this organisation any more. Choose a model, or set another default.",
  );
}

async function readDefaultRoute(tx: Tx, ctx: ServiceContext, workspaceId: WorkspaceId): Promise<Route | null> {
  const { provider, model } = await readEffective(tx, ctx, "models", workspaceId);
  return typeof provider === "string" && typeof model === "string" ? { provider, model } : null;
}

async function findRoute(tx: Tx, ctx: ServiceContext, { providerSlug: slug, model }: Wanted): Promise<Route> {
  const found = await tx.provider.findFirst({
    where: { orgId: ctx.orgId, ...(slug && { slug }), ...(model && { models: { has: model } }) },
    orderBy: { id: "asc" },
    select: { slug: true, models: true },
  });
  const chosen = model ?? found?.models[0];
  if (found && chosen) return { provider: found.slug, model: chosen };
  if (slug || model)
    throw new AppError("NO_MODEL", "The chosen model is not offered by a provider of this organisation. Choose another one.");
  throw new AppError("NO_MODEL", "This organisation has no model provider yet. An admin adds one in the settings.");
}
