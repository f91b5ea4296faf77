import type { Env } from "@gantry/platform";
import { signInWithOidc } from "@gantry/services";
import type { Profile } from "next-auth";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { z } from "zod";
import { serviceDeps } from "../service-deps.ts";
import type { SignedInUser } from "./auth-options.ts";
import { signInWord } from "./sign-in-word.ts";

export const oidcProviderId = "oidc";

const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
});

/** The OpenID Connect provider of the installation, when its variables are set. Code flow with PKCE, state and nonce. */
export function oidcProvider(env: Env): OAuthConfig<Profile>[] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = env;
  if (!issuer || !clientId || !clientSecret || !name) return [];
  const provider: OAuthConfig<Profile> = {
    id: oidcProviderId,
    name,
    type: "oauth",
    wellKnown: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
    clientId,
    clientSecret,
    idToken: true,
    checks: ["pkce", "state", "nonce"],
    authorization: { params: { scope: "openid email profile" } },
    userinfo: { request: ({ client, tokens }) => allClaims(client, tokens) },
    profile: (profile) => ({ id: profile.sub ?? "", name: profile.name ?? null, email: profile.email ?? null, image: null }),
  };
  return [provider];
}

type UserinfoRequest = Exclude<NonNullable<OAuthConfig<Profile>["userinfo"]>, string>["request"];
type UserinfoContext = Parameters<NonNullable<UserinfoRequest>>[0];

/** Providers differ in which claims the ID token carries; the userinfo answer has the rest, and the client checks that both name one subject. */
async function allClaims(client: UserinfoContext["client"], tokens: UserinfoContext["tokens"]): Promise<Profile> {
  const claims = "claims" in tokens && typeof tokens.claims === "function" ? (tokens.claims() as Profile) : {};
  if (claims.email) return claims;
  const info = await client.userinfo(tokens as Parameters<typeof client.userinfo>[0]);
  return { ...claims, ...info } as Profile;
}

/** Turns the verified identity into a person of ours and notes the login on `user`. Answers true, or the page to show instead. */
export async function linkOidc(user: SignedInUser, profile: Profile): Promise<true | string> {
  const deps = serviceDeps();
  try {
    const claims = Claims.parse(profile);
    const login = await signInWithOidc(deps, {
      provider: deps.env.OIDC_ISSUER ?? "",
      subject: claims.sub,
      ...(claims.email !== undefined && { email: claims.email }),
      ...(claims.email_verified !== undefined && { emailVerified: claims.email_verified }),
      ...(claims.name !== undefined && { name: claims.name }),
    });
    Object.assign(user, { id: login.userId, loginId: login.loginId });
    return true;
  } catch (error) {
    deps.log.warn({ err: error }, "single sign-on refused");
    return `/signin?error=${encodeURIComponent(signInWord(error))}`;
  }
}
