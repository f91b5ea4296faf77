import { AppError } from "@gantry/contracts";
import { FsError, type FsErrorCode, fsErrorCodes, RunUnknownError, SpawnError } from "../errors.ts";

/** The error for a failure that sandboxd reported. An unknown code is the container's word only, so it is not passed on as one of ours. */
export function callFailure({ code, message }: { code: string; message: string }): Error {
  if ((fsErrorCodes as readonly string[]).includes(code)) return new FsError(code as FsErrorCode, message);
  if (code === "RUN_UNKNOWN") return new RunUnknownError(message);
  if (code === "SPAWN_FAILED") return new SpawnError(message);
  if (code === "ARCHIVE_REFUSED" || code === "QUOTA_EXCEEDED" || code === "CONFLICT") return new AppError(code, message);
  return new AppError("INTERNAL", "The sandbox failed at this request. Try again.", { cause: new Error(`${code}: ${message}`) });
}
