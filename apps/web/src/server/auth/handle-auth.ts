import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "./auth-options.ts";

type RouteContext = { params: Promise<{ nextauth: string[] }> };

/** The sign-in routes of next-auth below /api/auth. */
export function handleAuth(request: NextRequest, context: RouteContext): Promise<Response> {
  return NextAuth(request, context, authOptions()) as Promise<Response>;
}
