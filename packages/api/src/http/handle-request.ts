import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import superjson from "superjson";
import { createApiContext, type RequestFacts } from "../context.ts";
import { appRouter } from "../router.ts";
import { handleStream, isStreamCall } from "./handle-stream.ts";
import { readJsonBody } from "./read-body.ts";
import { answerHeaders, logFault, refuse } from "./refuse.ts";
import { assertJson, assertSameOrigin } from "./same-origin.ts";

export const apiPath = "/api/trpc";
const maxBatchSize = 20;

/** Answers one HTTP request to the procedures: origin, size and form first, then tRPC. Never throws. */
export async function handleApiRequest(request: Request, facts: RequestFacts): Promise<Response> {
  try {
    assertSameOrigin(request, facts.deps.env.NEXTAUTH_URL);
    const url = new URL(request.url);
    if (isStreamCall(request, url)) return handleStream(request, url, facts);
    return await callProcedures(await bounded(request), facts);
  } catch (error) {
    return refuse(error, facts.deps, superjson.serialize);
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
    createContext: () => createApiContext(facts),
    responseMeta: ({ errors }) => ({ headers: answerHeaders(errors) }),
    onError: ({ error, path }) => logFault(error, path, facts.deps),
  });
}
