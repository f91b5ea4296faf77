import { AppError, type SaveProvider } from "@gantry/contracts";
import { type Tx, withOrg } from "@gantry/db";
import { masterKeyId, newId, openSecret, sealSecret } from "@gantry/platform";
import { writeAudit } from "../audit/write-audit.ts";
import type { ServiceContext } from "../context.ts";
import { providerChecksByOrg } from "../limits/rate-rules.ts";
import { type ProviderView, providerColumns, providerView } from "./provider-view.ts";

const checkTimeoutMs = 20_000;
const maxProviders = 50;

/**
 * Creates or changes the provider with this slug, after one live call has shown that address, key and model work (F61).
 * Without `key` the stored one stays, unless kind or address change: a key is only ever sent where it was entered for.
 * @throws PROVIDER_CHECK_FAILED when the live call fails; nothing is saved then
 * @throws CONFLICT when somebody else changed it meanwhile, RATE_LIMITED
 */
export async function saveProvider(ctx: ServiceContext, input: SaveProvider): Promise<ProviderView> {
  await ctx.limiter.take(providerChecksByOrg, ctx.orgId);
  const stored = await withOrg(ctx.orgId, (tx) => findStored(tx, ctx, input.slug));
  const key = input.key === undefined ? storedKey(ctx, stored, input) : input.key;
  await ctx.checkProvider({ ...settingsOf(input), key, signal: AbortSignal.timeout(checkTimeoutMs) });
  return withOrg(ctx.orgId, async (tx) => {
    await tx.$queryRaw`SELECT id FROM orgs WHERE id = ${ctx.orgId}::uuid FOR UPDATE`; // one change of an org's providers at a time
    const current = await findStored(tx, ctx, input.slug);
    if (current?.updatedAt.getTime() !== stored?.updatedAt.getTime())
      throw new AppError("CONFLICT", "Somebody else changed this provider meanwhile. Load it again and repeat your change.");
    const id = current?.id ?? newId();
    const columns = { name: input.name, ...settingsOf(input), ...sealedKey(ctx, id, key) };
    if (!current && (await tx.provider.count({ where: { orgId: ctx.orgId } })) >= maxProviders)
      throw new AppError("CONFLICT", `An organisation has at most ${maxProviders} model providers. Remove one first.`);
    const row = await tx.provider.upsert({
      where: { orgId_slug: { orgId: ctx.orgId, slug: input.slug } },
      create: { id, orgId: ctx.orgId, slug: input.slug, ...columns },
      update: columns,
      select: providerColumns,
    });
    const details = { slug: input.slug, kind: input.kind, created: !current, keyChanged: input.key !== undefined };
    await writeAudit(tx, ctx, { action: "provider.save", subject: id, details });
    return providerView(row);
  });
}

type Stored = { id: string; kind: string; baseUrl: string; secret: Uint8Array | null; updatedAt: Date };

function findStored(tx: Tx, ctx: ServiceContext, slug: string): Promise<Stored | null> {
  return tx.provider.findUnique({
    where: { orgId_slug: { orgId: ctx.orgId, slug } },
    select: { id: true, kind: true, baseUrl: true, secret: true, updatedAt: true },
  });
}

function storedKey(ctx: ServiceContext, stored: Stored | null, input: SaveProvider): string | null {
  if (!stored?.secret) return null;
  if (stored.baseUrl !== input.baseUrl || stored.kind !== input.kind)
    throw new AppError("BAD_REQUEST", "Kind or address of the provider changed, so its key has to be entered again.", {
      data: { field: "key" },
    });
  return openSecret(ctx.env.GANTRY_MASTER_KEY, { orgId: ctx.orgId, id: stored.id }, stored.secret);
}

function settingsOf({ kind, baseUrl, models }: SaveProvider) {
  return { kind, baseUrl, models: [...new Set(models)] };
}

function sealedKey(ctx: ServiceContext, id: string, key: string | null) {
  if (key === null) return { secret: null, secretKek: null };
  const masterKey = ctx.env.GANTRY_MASTER_KEY;
  return { secret: new Uint8Array(sealSecret(masterKey, { orgId: ctx.orgId, id }, key)), secretKek: masterKeyId(masterKey) };
}
