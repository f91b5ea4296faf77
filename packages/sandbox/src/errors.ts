/** Codes of the file seam (specs/tools §8.1). FS_NOT_OBSERVED comes from the seam only when a creation loses its race. */
export const fsErrorCodes = [
  "FS_NOT_FOUND",
  "FS_NOT_DIRECTORY",
  "FS_NOT_TEXT",
  "FS_NOT_REGULAR_FILE",
  "FS_TOO_LARGE",
  "FS_PERMISSION_DENIED",
  "FS_SANDBOX_DENIED",
  "FS_NO_SPACE",
  "FS_IO_ERROR",
  "FS_STALE_VERSION",
  "FS_NOT_OBSERVED",
  "FS_AMBIGUOUS_EDIT",
  "FS_EDIT_NOT_FOUND",
  "FS_ABORTED",
] as const;
export type FsErrorCode = (typeof fsErrorCodes)[number];

/** A file operation that failed for a reason the caller, or the model, can act on. */
export class FsError extends Error {
  readonly code: FsErrorCode;
  constructor(code: FsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "FsError";
    this.code = code;
  }
}

/** A process that did not start (EX-020 facts: no such program, no such directory, no more processes allowed). */
export class SpawnError extends Error {
  readonly code = "SPAWN_FAILED";
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SpawnError";
  }
}

/** A run that was only to be joined is not known in its world. */
export class RunUnknownError extends Error {
  readonly code = "RUN_UNKNOWN";
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "RunUnknownError";
  }
}
