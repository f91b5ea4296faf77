/** A timeout the tool may use: the request or the default, under the cap. @throws Error for a request that is not positive */
export function effectiveTimeoutMs(requested: number | undefined, limits: { timeoutMs: number; maxTimeoutMs: number }): number {
  if (requested !== undefined && !(requested > 0))
    throw new Error(`invalid timeoutMs: ${requested}; give a positive number of milliseconds`);
  return Math.min(requested ?? limits.timeoutMs, limits.maxTimeoutMs);
}
