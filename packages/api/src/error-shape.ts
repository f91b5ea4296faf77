import { AppError, type ErrorCode, errorTable, isAppError } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import { TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { ZodError } from "zod";
import { inputProblems } from "./input-problems.ts";

type TrpcCode = TRPCError["code"];

/** What a client gets to know about a failed call. */
export type ApiErrorData = {
  /** tRPC's name for the HTTP status */
  readonly code: TrpcCode;
  readonly httpStatus: number;
  readonly appCode: ErrorCode;
  /** the same request may succeed later */
  readonly retry: boolean;
  /** numbers and names that belong to the message; `field` names the input that is to blame */
  readonly details: Readonly<Record<string, string | number | boolean>>;
  /** path of an input field → what is wrong with it */
  readonly fields: Readonly<Record<string, string>>;
  /** to quote to the operator; the log has the cause under it. Null where the message says it all */
  readonly requestId: string | null;
};

const trpcCodes: { [S in (typeof errorTable)[ErrorCode]["status"]]: TrpcCode } = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_SERVER_ERROR",
  502: "BAD_GATEWAY",
  503: "SERVICE_UNAVAILABLE",
};

/** tRPC's own refusals, in our words: its texts may quote the input (CP-34). */
const ownRefusals: Partial<Record<TrpcCode, AppError>> = {
  PARSE_ERROR: new AppError("BAD_REQUEST", "The request is not valid JSON."),
  BAD_REQUEST: new AppError("BAD_REQUEST", "The request cannot be understood."),
  NOT_FOUND: new AppError("NOT_FOUND", "There is no such procedure."),
  METHOD_NOT_SUPPORTED: new AppError("BAD_REQUEST", "This procedure is called with another HTTP method."),
  UNSUPPORTED_MEDIA_TYPE: new AppError("BAD_REQUEST", "Requests are JSON. Send content-type: application/json."),
  CLIENT_CLOSED_REQUEST: new AppError("BAD_REQUEST", "The client closed the request."),
};

/** Gives an AppError its tRPC code, and so its HTTP status; everything else stays as it is. */
export function toTrpcError(error: unknown): unknown {
  const found = error instanceof TRPCError ? error.cause : error;
  if (!isAppError(found)) return error;
  return new TRPCError({ code: trpcCodes[errorTable[found.code].status], message: found.message, cause: found });
}

/** The one place where errors turn into answers: code, message and data of the table; the unknown becomes INTERNAL with an id to quote. */
export function describeError(error: TRPCError): { message: string; data: ApiErrorData } {
  if (isAppError(error.cause)) return shape(error.cause, {}, isOurFault(error) ? internalErrorId(error) : null);
  if (error.code === "BAD_REQUEST" && error.cause instanceof ZodError) {
    const fields = inputProblems(error.cause);
    const text = Object.entries(fields).map(([field, problem]) => (field ? `${field}: ${problem}` : problem));
    return shape(new AppError("BAD_REQUEST", `The input is not accepted: ${text.join("; ")}.`), fields);
  }
  const refusal = ownRefusals[error.code];
  if (refusal) return shape(refusal);
  const requestId = internalErrorId(error);
  return shape(
    new AppError("INTERNAL", `Something went wrong on our side. Try again; if it stays, report the id ${requestId}.`),
    {},
    requestId,
  );
}

function shape(
  error: AppError,
  fields: Record<string, string> = {},
  requestId: string | null = null,
): { message: string; data: ApiErrorData } {
  const { status: httpStatus, retry } = errorTable[error.code];
  const details = { ...error.data, ...onlyField(fields) };
  return {
    message: error.message,
    data: { code: trpcCodes[httpStatus], httpStatus, appCode: error.code, retry, details, fields, requestId },
  };
}

function onlyField(fields: Record<string, string>): { field?: string } {
  const [field] = Object.keys(fields);
  return field ? { field } : {};
}

/** Whether an operator should hear of it: the caller could not have avoided it. */
export function isOurFault(error: TRPCError): boolean {
  const status = isAppError(error.cause) ? errorTable[error.cause.code].status : getHTTPStatusCodeFromError(error);
  return status >= 500;
}

const ids = new WeakMap<TRPCError, string>();

/** The same id for the answer and the log line of one error. */
export function internalErrorId(error: TRPCError): string {
  const id = ids.get(error) ?? newId();
  ids.set(error, id);
  return id;
}
