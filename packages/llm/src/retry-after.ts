/** Reads a Retry-After header, seconds or an HTTP date, as milliseconds from `now`. Undefined when absent, unreadable or past. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Math.ceil(Number(text) * 1_000) : Date.parse(text) - now;
  return Number.isFinite(waitMs) && waitMs > 0 ? waitMs : undefined;
}
