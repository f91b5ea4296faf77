import type { UserId } from "@gantry/contracts";
import { findMembership, type Login, type MembershipOf, type ServiceDeps } from "@gantry/services";

/** Where a request comes from and what serves it; the web process fills it in. */
export type RequestFacts = {
  readonly deps: ServiceDeps;
  /** The client's network address, for limits. */
  readonly address: string;
  /** The login behind the request's cookie; null for strangers. */
  readonly login: () => Promise<Login | null>;
};

/** What one HTTP request brings to its procedures. */
export type ApiContext = RequestFacts & {
  readonly membership: (userId: UserId, slug: string) => Promise<MembershipOf | null>;
};

/** Look-ups are made once a request, however many calls are batched in it; the next request looks again, so a revocation works at once (SC-W7). */
export function createApiContext(facts: RequestFacts): ApiContext {
  let login: Promise<Login | null> | undefined;
  const memberships = new Map<string, Promise<MembershipOf | null>>();
  return {
    ...facts,
    login: () => {
      login ??= facts.login();
      return login;
    },
    membership: (userId, slug) => {
      const found = memberships.get(slug) ?? findMembership(userId, slug);
      memberships.set(slug, found);
      return found;
    },
  };
}
