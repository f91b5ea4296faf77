import { AppError } from "@gantry/contracts";

/** The one answer for a session that is not there and for one of another organisation. */
export function sessionNotFound(): AppError {
  return new AppError("NOT_FOUND", "There is no such session in this organisation.");
}
