import { isAppError } from "@gantry/contracts";
import type { ServiceDeps } from "@gantry/services";
import { getTRPCErrorFromUnknown, type TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { describeError, internalErrorId, isOurFault, toTrpcError } from "../error-shape.ts";

/** The answer for an error that no procedure saw. `encode` puts the error into the form that the caller's client reads. */
export function refuse(cause: unknown, deps: ServiceDeps, encode: (error: object) => unknown = (error) => error): Response {
  const error = getTRPCErrorFromUnknown(toTrpcError(cause));
  logFault(error, undefined, deps);
  const body = { error: encode({ code: TRPC_ERROR_CODES_BY_KEY[error.code], ...describeError(error) }) };
  return Response.json(body, { status: getHTTPStatusCodeFromError(error), headers: answerHeaders([error]) });
}

/** Logs what an operator should hear of: ids and causes, never the input (CP-34). */
export function logFault(error: TRPCError, path: string | undefined, { log }: ServiceDeps): void {
  if (isOurFault(error)) log.error({ requestId: internalErrorId(error), path, err: error.cause ?? error }, "a request failed");
}

/** Answers belong to one person and one moment; a limited caller learns when to come back (SC-R15). */
export function answerHeaders(errors: readonly TRPCError[]): Headers {
  const headers = new Headers({ "cache-control": "no-store" });
  for (const { cause } of errors) {
    const seconds = isAppError(cause, "RATE_LIMITED") ? cause.data?.retryAfterSeconds : undefined;
    if (seconds !== undefined) headers.set("retry-after", String(seconds));
  }
  return headers;
}
