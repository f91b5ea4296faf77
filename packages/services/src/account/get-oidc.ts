import type { ServiceDeps } from "../context.ts";

/** Whether single sign-on is set up here, what its button says, and whether anybody may open an account. */
export function getOidc({ env }: Pick<ServiceDeps, "env">): { enabled: boolean; name: string | null; signUpOpen: boolean } {
  return { enabled: env.OIDC_ISSUER !== undefined, name: env.OIDC_NAME ?? null, signUpOpen: env.SIGNUP_OPEN };
}
