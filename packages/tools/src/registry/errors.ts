import { AppError } from "@gantry/contracts";
import { KernelError } from "@gantry/kernel";
import { FsError, RunUnknownError, SpawnError } from "@gantry/sandbox/seams";

export { describeThrown as messageOf } from "@gantry/kernel";

/** An error of a tool or of the pipeline that the log keeps by name and code (TLS-10). Plain complaints of a body stay plain `Error`s. */
export class ToolError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options: { name?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = options.name ?? "ToolError";
    this.code = code;
  }
}

/** Identity of a failure as the log keeps it. */
export type ErrorInfo = { readonly name: string; readonly code: string };

/** The coded identity of a thrown value, or nothing for plain errors: only our own error families have one. Never throws. */
export function errorInfo(error: unknown): ErrorInfo | undefined {
  const families = [ToolError, AppError, FsError, RunUnknownError, SpawnError, KernelError];
  try {
    if (!families.some((family) => error instanceof family)) return undefined;
    const { name, code } = error as ToolError;
    return isErrorInfo({ name, code }) ? { name, code } : undefined;
  } catch {
    return undefined; // what refuses to be looked at is nobody we know
  }
}

/** Whether a listener's word for the identity of a failure is one, or nothing. */
export const isErrorInfo = (info: Partial<ErrorInfo> | undefined): boolean =>
  info === undefined || (typeof info?.name === "string" && typeof info.code === "string");

/** The caller's own cancellation surfacing as an exception; a coded error is kept instead (EX-007). */
export function isBareAbort(error: unknown, caller: AbortSignal): boolean {
  if (!caller.aborted || errorInfo(error) !== undefined) return false;
  try {
    return error === caller.reason || (error instanceof Error && error.name === "AbortError");
  } catch {
    return false; // what refuses to be looked at is no abort
  }
}

export const aborted = () => new ToolError("ABORTED", "tool call aborted", { name: "AbortError" });
export const abortedBeforeDispatch = () =>
  new ToolError("ABORTED_BEFORE_DISPATCH", "tool call aborted before dispatch", { name: "AbortError" });

const toDo = {
  ARGUMENTS_TOO_LARGE: "Send less at once: write the content to a file in parts, then name the file.",
  RESULT_TOO_LARGE: "Ask for less: narrow the arguments, or have the output written to a file and read a part of it.",
};

/** A call that exceeds what one call may carry (T-26); sizes in bytes. */
export function tooLarge(code: keyof typeof toDo, what: string, bytes: number, limit: number): ToolError {
  return new ToolError(code, `${what} ${bytes} bytes, and the limit is ${limit}. ${toDo[code]}`, { name: "ToolSizeError" });
}

export function unknownTool(name: string): ToolError {
  return new ToolError("UNKNOWN_TOOL", `there is no tool named "${name}" for this agent`, { name: "ToolNotFoundError" });
}
