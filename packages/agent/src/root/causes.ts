import { errorTable, isAppError } from "@gantry/contracts";
import { isKernelError } from "@gantry/kernel";

/** What went wrong, in one line; of several errors, all. */
export function describeCause(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(describeCause).join("; ");
  return error instanceof Error ? error.message : String(error);
}

const systemCodes = new Set([
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "EMFILE",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

/** Whether the surroundings failed and not the definition, so that the same rows may start another time (G-7). */
export function isTransient(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isTransient);
  if (!(error instanceof Error)) return false;
  if (isKernelError(error)) return error.code === "FIBER_STUCK" || error.code === "ROOT_SEALED";
  if (isAppError(error)) return errorTable[error.code].retry;
  if (error.name === "TimeoutError") return true;
  if ("code" in error && systemCodes.has(String(error.code))) return true;
  return error.cause !== undefined && isTransient(error.cause);
}
