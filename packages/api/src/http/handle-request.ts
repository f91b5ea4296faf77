import { isAppError } from "@gantry/contracts";
import { findMembership, type Login, type ServiceDeps } from "@gantry/services";
import { getTRPCErrorFromUnknown, type TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import superjson from "superjson";
import type { ApiContext } from "../context.ts";
import { describeError, internalErrorId, isOurFault, toTrpcError } from "../error-shape.ts";
import { appRouter } from "../router.ts";
import { readJsonBody } from "./read-body.ts";
import { assertJson, assertSameOrigin } from "./same-origin.ts";

export type RequestFacts = {
  readonly deps: ServiceDeps;
  /** the client's network address */
  readonly address: string;
  /** the login behind the request's cookie */
  readonly login: () => Promise<Login | null>;
};

export const apiPath = "/api/trpc";
const maxBatchSize = 20;

/** Answers one HTTP request to the procedures: origin, size and form first, then tRPC. Never throws. */
export async function handleApiRequest(request: Request, facts: RequestFacts): Promise<Response> {
  try {
    assertSameOrigin(request, facts.deps.env.NEXTAUTH_URL);
    return await callProcedures(await bounded(request), facts);
  } catch (error) {
    return refusal(error, facts.deps);
  }
}

/** The request with a body that is known to be small and harmless to parse. */
async function bounded(request: Request): Promise<Request> {
  if (request.method !== "POST") return request;
  assertJson(request);
  const body = await readJsonBody(request);
  return new Request(request.url, { method: "POST", headers: request.headers, body, signal: request.signal });
}

function callProcedures(req: Request, facts: RequestFacts): Promise<Response> {
  return fetchRequestHandler({
    endpoint: apiPath,
    req,
    router: appRouter,
    maxBatchSize,
    createContext: () => apiContext(facts),
    responseMeta: ({ errors }) => ({ headers: new Headers([["cache-control", "no-store"], ...retryAfter(errors)]) }),
    onError: ({ error, path }) => logFault(error, path, facts.deps),
  });
}

function apiContext({ deps, address, login }: RequestFacts): ApiContext {
  let found: Promise<Login | null> | undefined;
  const memberships = new Map<string, ReturnType<typeof findMembership>>();
  return {
    deps,
    address,
    login: () => {
      found ??= login();
      return found;
    },
    membership: ({ userId }, slug) => {
      const known = memberships.get(slug) ?? findMembership(userId, slug);
      memberships.set(slug, known);
      return known;
    },
  };
}

/** What tRPC never saw, in the shape that its clients read. */
function refusal(cause: unknown, deps: ServiceDeps): Response {
  const error = getTRPCErrorFromUnknown(toTrpcError(cause));
  logFault(error, undefined, deps);
  const body = { error: superjson.serialize({ code: TRPC_ERROR_CODES_BY_KEY[error.code], ...describeError(error) }) };
  return Response.json(body, {
    status: getHTTPStatusCodeFromError(error),
    headers: [["cache-control", "no-store"], ...retryAfter([error])],
  });
}

/** Ids and causes, never the input (CP-34). */
function logFault(error: TRPCError, path: string | undefined, { log }: ServiceDeps): void {
  if (isOurFault(error)) log.error({ requestId: internalErrorId(error), path, err: error.cause ?? error }, "a request failed");
}

function retryAfter(errors: readonly TRPCError[]): [string, string][] {
  const limited = errors.map((error) => error.cause).find((cause) => isAppError(cause, "RATE_LIMITED"));
  const seconds = isAppError(limited) ? limited.data?.retryAfterSeconds : undefined;
  return seconds === undefined ? [] : [["retry-after", String(seconds)]];
}
