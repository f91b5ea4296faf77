import type { Login, MembershipOf, ServiceDeps } from "@gantry/services";

/** What one HTTP request brings to its procedures. Look-ups are made once a request, however many calls are batched in it. */
export type ApiContext = {
  readonly deps: ServiceDeps;
  /** The client's network address, for limits. */
  readonly address: string;
  /** The login behind the request's cookie; null for strangers. */
  readonly login: () => Promise<Login | null>;
  readonly membership: (login: Login, slug: string) => Promise<MembershipOf | null>;
};
