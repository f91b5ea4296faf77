import { AppError, type ErrorCode, isAppError } from "../errors.ts";

const prefix = "SESSION_QUERY_";

/** What can be wrong with a question about sessions (QRY-3), and the code under which it reaches an edge. */
const queryErrors = {
  CORRUPT_SESSION: "SESSION_CORRUPT",
  EVENT_NOT_FOUND: "NOT_FOUND",
  INDEX_FAILED: "UNAVAILABLE",
  INVALID_CURSOR: "BAD_REQUEST",
  INVALID_FILTER: "BAD_REQUEST",
  INVALID_LIMIT: "BAD_REQUEST",
  INVALID_LINEAGE: "SESSION_CORRUPT",
  INVALID_QUERY: "BAD_REQUEST",
  INVALID_SURFACE: "SESSION_CORRUPT",
  INVALID_WINDOW: "BAD_REQUEST",
  SESSION_NOT_FOUND: "NOT_FOUND",
  STALE_CURSOR: "CONFLICT",
} as const satisfies Record<string, ErrorCode>;
export type QueryErrorCode = keyof typeof queryErrors;

/** An error of a session query; its own code is in `data.queryCode`, with the prefix `SESSION_QUERY_`. */
export function queryError(code: QueryErrorCode, message: string, options: { cause?: unknown } = {}): AppError {
  return new AppError(queryErrors[code], message, { ...options, data: { queryCode: `${prefix}${code}` } });
}

/** The `SESSION_QUERY_…` code of an error, or null where it is of another kind. */
export function queryErrorCode(error: unknown): string | null {
  const code = isAppError(error) ? error.data?.queryCode : undefined;
  return typeof code === "string" ? code : null;
}
