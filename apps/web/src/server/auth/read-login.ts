import { UserId } from "@gantry/contracts";
import { loadEnv } from "@gantry/platform";
import { findLogin, type Login } from "@gantry/services";
import { decode } from "next-auth/jwt";
import { z } from "zod";
import { authCookies, cookieValue } from "./cookies.ts";

/** What a sign-in cookie says: who, and by which row of `login_sessions`. The row decides. */
export const LoginToken = z.object({ sub: UserId, loginId: z.uuid() });

/** The login behind a Cookie header. Null without a cookie, for a cookie that is not ours, and once the login is revoked, expired or idle (SC-W7, SC-W8). */
export async function readLogin(cookieHeader: string | null): Promise<Login | null> {
  const env = loadEnv();
  const sealed = cookieValue(cookieHeader, authCookies(env.NEXTAUTH_URL).sessionToken.name);
  if (!sealed) return null;
  return findTokenLogin(await openToken(sealed, env.NEXTAUTH_SECRET));
}

/** The login that an opened cookie names, if it still stands. */
export async function findTokenLogin(token: unknown): Promise<Login | null> {
  const named = LoginToken.safeParse(token);
  return named.success ? findLogin(named.data.sub, named.data.loginId) : null;
}

async function openToken(token: string, secret: string): Promise<unknown> {
  try {
    return await decode({ token, secret });
  } catch {
    return null; // not sealed by us, or too old: the same as no cookie
  }
}
