/** Reads a Retry-After header, seconds or an HTTP date, as milliseconds from `now`, however many (DSK-6). Undefined when absent, unreadable or past. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Math.ceil(Number(text) * 1_000) : parseHttpDate(text) - now;
  return waitMs > 0 ? Math.min(waitMs, Number.MAX_SAFE_INTEGER) : undefined;
}

/** Only the form with a weekday is a date here: `Date.parse` takes almost anything, “-3” included. */
function parseHttpDate(text: string): number {
  return /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : Number.NaN;
}
