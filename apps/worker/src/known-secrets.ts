import { AppError, isAppError, type OrgId } from "@gantry/contracts";
import { readProviderSecret, readProviderSecrets } from "@gantry/db";
import { type Env, openSecret } from "@gantry/platform";

const maxOrgs = 400;
/** Model keys of each org that this worker has read since it met the org, replaced ones too; the org used last at the end. */
const known = new Map<OrgId, Set<string>>();

/**
 * The key of a model provider as it is now; null when it has none. A root that was made before the provider changed does not get what was entered for
 * another address. @throws AppError CONFLICT for an address that the provider has not, or a provider that is gone; SECRET_UNREADABLE
 */
export async function readKey(orgId: OrgId, { id, baseUrl }: { id: string; baseUrl: string }, masterKey: Buffer): Promise<string | null> {
  const stored = await readProviderSecret(orgId, id);
  if (stored?.baseUrl !== baseUrl)
    throw new AppError(
      "CONFLICT",
      "The model provider of this session was changed or removed while the session was at work. Send your message again.",
    );
  const sealed = stored.secret;
  const key = sealed ? openSecret(masterKey, { orgId, id }, sealed) : null;
  if (key !== null) keysOf(orgId).add(key);
  return key;
}

/** All that must not show in the org's sessions (CP-35): its model keys, and what this worker itself was started with. The set grows as keys are read. */
export async function knownSecrets(orgId: OrgId, env: Env): Promise<ReadonlySet<string>> {
  const keys = keysOf(orgId);
  for (const secret of installationSecrets(env)) keys.add(secret);
  for (const { id, secret } of await readProviderSecrets(orgId)) {
    try {
      keys.add(openSecret(env.GANTRY_MASTER_KEY, { orgId, id }, secret));
    } catch (error) {
      if (!isAppError(error, "SECRET_UNREADABLE")) throw error; // the request that wants it says so
    }
  }
  return keys;
}

function keysOf(orgId: OrgId): Set<string> {
  const keys = known.get(orgId) ?? new Set<string>();
  known.delete(orgId);
  known.set(orgId, keys);
  const [oldest] = known.keys();
  if (known.size > maxOrgs && oldest !== undefined) known.delete(oldest);
  return keys;
}

function installationSecrets(env: Env): string[] {
  const passwords = [env.DATABASE_URL, env.MIGRATION_DATABASE_URL, env.REDIS_URL].map((url) => (url ? new URL(url).password : ""));
  const all = [...passwords, env.GANTRY_MASTER_KEY.toString("base64"), env.NEXTAUTH_SECRET, env.OIDC_CLIENT_SECRET];
  return all.filter((secret) => secret !== undefined);
}
