import type { CookiesOptions } from "next-auth";

const flowSeconds = 15 * 60;

/** Over https only this host may set the cookies (`__Host-`); a local http server gets plain names, which browsers would refuse otherwise (SC-W6). */
export function authCookies(ownUrl: string): CookiesOptions {
  const secure = new URL(ownUrl).protocol === "https:";
  const cookie = (name: string, maxAge?: number) => ({
    name: `${secure ? "__Host-" : ""}gantry.${name}`,
    options: { httpOnly: true, sameSite: "lax" as const, path: "/", secure, ...(maxAge !== undefined && { maxAge }) },
  });
  return {
    sessionToken: cookie("session"),
    callbackUrl: cookie("callback-url"),
    csrfToken: cookie("csrf-token"),
    pkceCodeVerifier: cookie("pkce", flowSeconds),
    state: cookie("state", flowSeconds),
    nonce: cookie("nonce", flowSeconds),
  };
}

/** A cookie of a request; null when there is none, or one that nobody can decode. */
export function cookieValue(header: string | null, name: string): string | null {
  for (const part of header?.split(";") ?? []) {
    const [key, ...value] = part.trim().split("=");
    if (key === name) return decoded(value.join("="));
  }
  return null;
}

function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null; // not written by us
  }
}
