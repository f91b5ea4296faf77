import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "./auth-options.ts";

type RouteContext = { params: Promise<{ nextauth: string[] }> };

/** A sign-in form is a few hundred bytes; next-auth itself would read a body of any size into memory. */
const maxBodyBytes = 64_000;

/** The sign-in routes of next-auth below /api/auth. */
export async function handleAuth(request: NextRequest, context: RouteContext): Promise<Response> {
  if (request.method === "POST" && !(Number(request.headers.get("content-length") ?? Number.NaN) <= maxBodyBytes))
    return new Response("The form is too large, or its length is not declared.", { status: 413 });
  return (await NextAuth(request, context, authOptions())) as Response;
}
