/** "3 m 12 s", "42 s", "1 h 05 m": a length of time in milliseconds. */
export function duration(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 60) return `${s} s`;
  const [h, m] = [Math.floor(s / 3600), Math.floor((s % 3600) / 60)];
  if (h > 0) return `${h} h ${String(m).padStart(2, "0")} m`;
  return `${m} m ${String(s % 60).padStart(2, "0")} s`;
}

/** "just now" (also when clocks disagree a little), "5 min ago", "3 h ago", "2 d ago", then the date. */
export function relativeTime(time: Date | number, now: number = Date.now()): string {
  const at = typeof time === "number" ? time : time.getTime();
  const min = Math.floor((now - at) / 60_000);
  if (min < 1) return "just now";
  if (min < 60) return `${min} min ago`;
  if (min < 24 * 60) return `${Math.floor(min / 60)} h ago`;
  if (min < 7 * 24 * 60) return `${Math.floor(min / 1440)} d ago`;
  return new Date(at).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}

export const exactTime = (time: Date | number): string => new Date(time).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });

/** "1.2 MB", "340 kB", "12 B" (powers of 1000). */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** "950", "12.3k", "1.2M": a count of tokens. */
export function tokenCount(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  if (tokens < 1_000_000) return `${(tokens / 1_000).toFixed(tokens < 100_000 ? 1 : 0)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** "$0.031", "$1.20", "under $0.0001": US dollars with as many digits as tell something. */
export function dollars(usd: number): string {
  if (usd > 0 && usd < 0.000_1) return "under $0.0001";
  return `$${usd > 0 && usd < 0.1 ? usd.toFixed(4).replace(/0{1,2}$/, "") : usd.toFixed(2)}`;
}

/** "7 d", "23 h 05 m", "42 s": how long something still holds. */
export const timeLeft = (ms: number): string => (ms >= 2 * 24 * 3_600_000 ? `${Math.round(ms / (24 * 3_600_000))} d` : duration(ms));
