import type { OrgId, UserId } from "@gantry/contracts";
import { prisma } from "./connections.ts";
import type { Prisma } from "./generated/client.ts";
import { rethrow } from "./outage.ts";

/** A transaction that is bound to whoever it works for. */
export type Tx = Prisma.TransactionClient;
export type ScopeOptions = { readonly timeoutMs?: number };

type Scope = { readonly orgId?: OrgId; readonly userId?: UserId; readonly system?: true };
const defaultTimeoutMs = 5_000;
const maxWaitMs = 5_000;

/**
 * Runs one transaction as an organisation: row-level security shows and accepts this org's rows only. Never hold it across a model call or a stream.
 * @throws UNAVAILABLE when Postgres does not answer or the transaction takes over 5 s (`timeoutMs`)
 */
export function withOrg<T>(orgId: OrgId, work: (tx: Tx) => Promise<T>, options?: ScopeOptions): Promise<T> {
  return scoped({ orgId }, work, options);
}

/** Runs one transaction as a person: their own user, logins, memberships, and the orgs those name. @throws UNAVAILABLE */
export function withUser<T>(userId: UserId, work: (tx: Tx) => Promise<T>, options?: ScopeOptions): Promise<T> {
  return scoped({ userId }, work, options);
}

/** Runs one transaction as the installation: users, logins and the list of orgs, and no organisation's content. @throws UNAVAILABLE */
export function withSystem<T>(work: (tx: Tx) => Promise<T>, options?: ScopeOptions): Promise<T> {
  return scoped({ system: true }, work, options);
}

/** Binds the rest of a transaction to an organisation as well, so that a sign-up writes person, org and membership at once. */
export async function enterOrg(tx: Tx, orgId: OrgId): Promise<void> {
  await tx.$executeRaw`SELECT set_config('app.org_id', ${orgId}, true)`;
}

async function scoped<T>(scope: Scope, work: (tx: Tx) => Promise<T>, { timeoutMs = defaultTimeoutMs }: ScopeOptions = {}): Promise<T> {
  const bound = async (tx: Tx): Promise<T> => {
    await tx.$executeRaw`SELECT set_config('app.org_id', ${scope.orgId ?? ""}, true), set_config('app.user_id', ${scope.userId ?? ""}, true), set_config('app.system', ${scope.system ? "on" : ""}, true)`;
    return work(tx);
  };
  return prisma().$transaction(bound, { timeout: timeoutMs, maxWait: maxWaitMs }).catch(rethrow);
}
