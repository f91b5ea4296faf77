import { AppError, type CreateSession } from "@gantry/contracts";
import type { Tx } from "@gantry/db";
import type { ServiceContext } from "../context.ts";

type Wanted = Pick<CreateSession, "providerSlug" | "model">;

/**
 * The route a new session is pinned to. Nothing asked: the organisation's first provider and its first model.
 * @throws NO_MODEL when the organisation has no provider, or none that offers what was asked
 */
export async function chooseModel(tx: Tx, ctx: ServiceContext, wanted: Wanted): Promise<{ provider: string; model: string }> {
  const { providerSlug: slug, model } = wanted;
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
