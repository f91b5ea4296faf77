import { loginMaxDays, signOut } from "@gantry/services";
import type { NextAuthOptions, Profile } from "next-auth";
import { serviceDeps } from "../service-deps.ts";
import { authCookies } from "./cookies.ts";
import { linkOidc, oidcProvider, oidcProviderId } from "./oidc-provider.ts";
import { passwordProvider } from "./password-provider.ts";
import { findTokenLogin, LoginToken } from "./read-login.ts";

/** What both ways of signing in leave on the user that next-auth hands around. */
export type SignedInUser = { id: string; name?: string | null; email?: string | null; loginId?: string };

/** Sign-in by password and, where it is set up, by one OpenID Connect provider. The cookie names a row of `login_sessions` and nothing else. */
export function authOptions(): NextAuthOptions {
  const { env, log } = serviceDeps();
  return {
    secret: env.NEXTAUTH_SECRET,
    useSecureCookies: env.NEXTAUTH_URL.startsWith("https:"),
    cookies: authCookies(env.NEXTAUTH_URL),
    session: { strategy: "jwt", maxAge: loginMaxDays * 24 * 3600 },
    pages: { signIn: "/signin", error: "/signin" },
    providers: [passwordProvider(), ...oidcProvider(env)],
    callbacks: {
      async signIn({ user, account, profile }) {
        if (account?.provider !== oidcProviderId) return true;
        return linkOidc(user as SignedInUser, (profile ?? {}) as Profile);
      },
      async jwt({ token, user }) {
        if (user) return { sub: user.id, loginId: (user as SignedInUser).loginId };
        if (await findTokenLogin(token)) return token;
        throw new Error("the login has ended"); // next-auth then drops the cookie
      },
      session: ({ session }) => session,
    },
    events: {
      async signOut({ token }) {
        const named = LoginToken.safeParse(token);
        if (named.success) await signOut(named.data.sub, named.data.loginId);
      },
    },
    logger: {
      // metadata of next-auth may hold tokens and what the person typed
      error: (code, details) => log.warn({ code, err: details instanceof Error ? details : details.error }, "sign-in failed"),
      warn: () => {},
      debug: () => {},
    },
  };
}
