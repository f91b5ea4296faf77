import { errorTable, isAppError } from "@gantry/contracts";
import { describeThrown, isKernelError } from "@gantry/kernel";

/** Errors inside errors that are looked at; what goes on beyond, such as a circle, says nothing more. */
const maxDepth = 10;

/** What went wrong, in one line; of several errors, all. */
export function describeCause(error: unknown, depth = 0): string {
  const isList = error instanceof AggregateError && error.errors.length > 0 && depth < maxDepth;
  return isList ? error.errors.map((one) => describeCause(one, depth + 1)).join("; ") : describeThrown(error);
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
export function isTransient(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > maxDepth) return false;
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every((one) => isTransient(one, depth + 1));
  if (isKernelError(error)) return error.code === "FIBER_STUCK" || error.code === "ROOT_SEALED";
  if (isAppError(error)) return errorTable[error.code].retry;
  if (error.name === "TimeoutError") return true;
  if ("code" in error && systemCodes.has(String(error.code))) return true;
  return error.cause !== undefined && isTransient(error.cause, depth + 1);
}
