import { type NextRequest, NextResponse } from "next/server";
import { pathHeader } from "./server/current-path.ts";

// biome-ignore lint/style/noProcessEnv: the bundler replaces this by a constant of the bundle it makes
const isDev = process.env.NODE_ENV === "development";

/** What a page may load and do: only ours, scripts only with the nonce of this answer, never inside a frame of somebody else. */
const policy = (nonce: string): string =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'", // positions of virtual rows and of menus are style attributes
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Gives every page its headers. Whether somebody may see a page is decided by the page and its procedures, never here (SC-W8). */
export function proxy(request: NextRequest): NextResponse {
  const csp = policy(Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64"));
  const headers = new Headers(request.headers);
  headers.set(pathHeader, request.nextUrl.pathname + request.nextUrl.search);
  headers.set("content-security-policy", csp); // Next reads the nonce from here and puts it on its scripts
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", csp);
  response.headers.set("x-content-type-options", "nosniff");
  response.headers.set("referrer-policy", "same-origin");
  response.headers.set("permissions-policy", "camera=(), microphone=(), geolocation=()");
  return response;
}

export const config = { matcher: ["/((?!api/|_next/|icon\\.svg).*)"] };
