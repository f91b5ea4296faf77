/** Every error a caller can act on, in one table: the HTTP status it has at the edge, and whether trying again can help. */
export const errorTable = {
  BAD_REQUEST: { status: 400, retry: false },
  UNAUTHENTICATED: { status: 401, retry: false },
  FORBIDDEN: { status: 403, retry: false },
  NOT_FOUND: { status: 404, retry: false },
  CONFLICT: { status: 409, retry: false },
  RATE_LIMITED: { status: 429, retry: true },
  UNAVAILABLE: { status: 503, retry: true },
  INTERNAL: { status: 500, retry: true },
  WRONG_CREDENTIALS: { status: 401, retry: false },
  EMAIL_TAKEN: { status: 409, retry: false },
  SLUG_TAKEN: { status: 409, retry: false },
  MESSAGE_TOO_LARGE: { status: 413, retry: false },
  UPLOAD_TOO_LARGE: { status: 413, retry: false },
  ARCHIVE_REFUSED: { status: 422, retry: false },
  UNSUPPORTED_FILE_TYPE: { status: 422, retry: false },
  UNSUPPORTED_IMAGE_TYPE: { status: 422, retry: false },
  IMAGE_TYPE_MISMATCH: { status: 422, retry: false },
  IMAGE_TOO_LARGE: { status: 413, retry: false },
  IMAGE_DIMENSION_TOO_LARGE: { status: 422, retry: false },
  IMAGE_TOO_MANY_PIXELS: { status: 422, retry: false },
  INVALID_IMAGE: { status: 422, retry: false },
  ATTACHMENT_CORRUPT: { status: 500, retry: false },
  CLONE_REFUSED: { status: 422, retry: false },
  CLONE_FAILED: { status: 502, retry: true },
  WORKSPACE_BUSY: { status: 409, retry: true },
  PROVIDER_CHECK_FAILED: { status: 422, retry: true },
  NO_MODEL: { status: 422, retry: false },
  LEASE_LOST: { status: 500, retry: true },
  SESSION_CORRUPT: { status: 500, retry: false },
  SESSION_UNSUPPORTED: { status: 500, retry: false },
  SESSION_REJECTED_EVENT: { status: 500, retry: false },
  OPEN_TURN: { status: 409, retry: true },
  INVALID_BOUNDARY: { status: 422, retry: false },
  SANDBOX_START: { status: 503, retry: true },
  SANDBOX_LOST: { status: 503, retry: true },
  SANDBOX_FENCED: { status: 409, retry: false },
  ENGINE_DOWN: { status: 503, retry: true },
  QUOTA_EXCEEDED: { status: 429, retry: false },
  SECRET_UNREADABLE: { status: 500, retry: false },
  INPUT_REFUSED: { status: 422, retry: false },
  COMPOSITION_INVALID: { status: 422, retry: false },
  COMPOSITION_BUSY: { status: 409, retry: true },
  PRESET_UNKNOWN: { status: 404, retry: false },
  PRESET_BROKEN: { status: 422, retry: false },
  PRESET_LEAK: { status: 422, retry: false },
  PRESET_LOCKED: { status: 409, retry: false },
  PRESETS_BREAK: { status: 409, retry: false },
  REVISION_STALE: { status: 409, retry: false },
  TENANT_MISMATCH: { status: 500, retry: false },
} as const;
export type ErrorCode = keyof typeof errorTable;

/** An error a caller can act on. The message says what happened, why, and what to do; never a secret, never echoed input. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, string | number | boolean>> | undefined;
  constructor(code: ErrorCode, message: string, options: { cause?: unknown; data?: Record<string, string | number | boolean> } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.data = options.data;
  }
}

/** By name and code, not by class: a bundler may hold this module twice in one process. */
export function isAppError(value: unknown, code?: ErrorCode): value is AppError {
  if (!(value instanceof Error) || value.name !== "AppError" || !("code" in value)) return false;
  return code === undefined ? Object.hasOwn(errorTable, String(value.code)) : value.code === code;
}
