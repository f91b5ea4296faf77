import { AppError, isAppError, type OrgId } from "@gantry/contracts";
import { readProviderSecret, readProviderSecrets } from "@gantry/db";
import { type Env, openSecret } from "@gantry/platform";

/** The model keys of a worker's orgs, opened where they are needed, and what must not show in their sessions (CP-35). */
export class OrgSecrets {
  private readonly env: Env;
  /** keys of each org that were read since the worker met it, replaced ones too */
  private readonly seen = new Map<OrgId, Set<string>>();

  constructor(env: Env) {
    this.env = env;
  }

  /**
   * The key of a model provider as it is now; null when it has none. A root that was made before the provider changed does not get what was entered for
   * another address. @throws AppError CONFLICT for an address that the provider has not, or a provider that is gone; SECRET_UNREADABLE
   */
  async key(orgId: OrgId, { id, baseUrl }: { id: string; baseUrl: string }): Promise<string | null> {
    const stored = await readProviderSecret(orgId, id);
    if (stored?.baseUrl !== baseUrl)
      throw new AppError(
        "CONFLICT",
        "The model provider of this session was changed or removed while the session was at work. Send your message again.",
      );
    const key = stored.secret ? openSecret(this.env.GANTRY_MASTER_KEY, { orgId, id }, stored.secret) : null;
    if (key !== null) this.of(orgId).add(key);
    return key;
  }

  /** The org's model keys and what this worker itself was started with. The set grows as keys are read. */
  async all(orgId: OrgId): Promise<ReadonlySet<string>> {
    const keys = this.of(orgId);
    for (const secret of installationSecrets(this.env)) keys.add(secret);
    for (const { id, secret } of await readProviderSecrets(orgId)) {
      try {
        keys.add(openSecret(this.env.GANTRY_MASTER_KEY, { orgId, id }, secret));
      } catch (error) {
        if (!isAppError(error, "SECRET_UNREADABLE")) throw error; // the request that wants it says so
      }
    }
    return keys;
  }

  forget(orgId: OrgId): void {
    this.seen.delete(orgId);
  }

  private of(orgId: OrgId): Set<string> {
    const keys = this.seen.get(orgId) ?? new Set<string>();
    this.seen.set(orgId, keys);
    return keys;
  }
}

function installationSecrets(env: Env): string[] {
  const passwords = [env.DATABASE_URL, env.MIGRATION_DATABASE_URL, env.REDIS_URL].map((url) => (url ? new URL(url).password : ""));
  const all = [...passwords, env.GANTRY_MASTER_KEY.toString("base64"), env.NEXTAUTH_SECRET, env.OIDC_CLIENT_SECRET];
  return all.filter((secret) => secret !== undefined);
}
