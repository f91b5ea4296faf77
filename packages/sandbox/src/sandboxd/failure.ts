import type { FsErrorCode } from "../errors.ts";

/** A failure that is sent to the worker as data. */
export class Failure extends Error {
  readonly code: string;
  constructor(
    code: FsErrorCode | "SPAWN_FAILED" | "RUN_UNKNOWN" | "QUOTA_EXCEEDED" | "ARCHIVE_REFUSED" | "CONFLICT" | "BAD_REQUEST" | "INTERNAL",
    message: string,
  ) {
    super(message);
    this.code = code;
  }
}

const fsCodes: Record<string, [FsErrorCode, string]> = {
  ENOENT: ["FS_NOT_FOUND", "does not exist"],
  ENOTDIR: ["FS_NOT_DIRECTORY", "a part of this path is a file, not a directory"],
  EISDIR: ["FS_NOT_REGULAR_FILE", "is a directory"],
  EACCES: ["FS_PERMISSION_DENIED", "permission denied"],
  EPERM: ["FS_PERMISSION_DENIED", "the operation is not permitted"],
  EROFS: ["FS_SANDBOX_DENIED", "the sandbox does not allow writing here"],
  ENOSPC: ["FS_NO_SPACE", "the disk of this workspace is full; delete files that are not needed"],
  EDQUOT: ["FS_NO_SPACE", "the disk quota of this workspace is used up; delete files that are not needed"],
  EFBIG: ["FS_NO_SPACE", "the file would be larger than one file may be"],
  ELOOP: ["FS_IO_ERROR", "too many symbolic links"],
  ENAMETOOLONG: ["FS_IO_ERROR", "the name is too long"],
};

/** Whether the system refused something (ENOSPC, EACCES), unlike an unpacker's or a stream's own error, which has codes too (Z_BUF_ERROR). */
export function isSystemError(error: unknown): boolean {
  return /^E[A-Z0-9]+$/.test((error as NodeJS.ErrnoException).code ?? "");
}

/** The coded failure for an error of the system; the path that is shown is the caller's, never one of ours. */
export function fsFailure(error: unknown, displayPath: string): Failure {
  if (error instanceof Failure) return error;
  const known = fsCodes[(error as NodeJS.ErrnoException).code ?? ""];
  if (known) return new Failure(known[0], `${displayPath}: ${known[1]}`);
  return new Failure("FS_IO_ERROR", `${displayPath}: ${error instanceof Error ? error.message : "input/output error"}`);
}

/** Runs file work and codes what it throws. */
export function coded<T>(displayPath: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fsFailure(error, displayPath);
  }
}
