/** Stable codes of the kernel layer (F-2); the second group is ours, for mistakes that the first does not name. */
export const kernelErrorCodes = [
  "INACTIVE_EFFECT",
  "SERVICE_TAKEN",
  "NOT_INJECTED",
  "NEXT_CALLED_TWICE",
  "FIBER_STUCK",
  "ROOT_SEALED",
  "SCOPE_CYCLE",
  "SCOPE_BOUND",
  "RESTRICT_UNSCOPED",
  "UNKNOWN_TOOL",
  "GUARD_FAILED",
  "AGENT_FACTORY_TAKEN",
  "NO_AGENT_FACTORY",
  "PRESET_UNKNOWN",
  "PRESET_BROKEN",
  "PRESET_LEAK",
  "PRESET_LOCKED",
  "PATCH_NAME_MISMATCH",
  "PATCH_NOT_FOUND",
  "ROW_LOCKED",
  "EXPR_FORBIDDEN",
  "TENANT_MISMATCH",

  "BAD_CONFIG",
  "BAD_PLUGIN",
  "NAME_TAKEN",
  "SCOPE_CARRIER",
  "JOIN_UNSCOPED",
  "AGENT_MISMATCH",
  "AGENT_OWNER_GONE",
] as const;
export type KernelErrorCode = (typeof kernelErrorCodes)[number];

/** A failure of the composition itself: a wiring mistake, a lifecycle refusal. What a person can act on is an AppError instead. */
export class KernelError extends Error {
  readonly code: KernelErrorCode;
  constructor(code: KernelErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "KernelError";
    this.code = code;
  }
}

export function isKernelError(value: unknown, code?: KernelErrorCode): value is KernelError {
  return value instanceof KernelError && (code === undefined || value.code === code);
}
