import type { LlmFailure } from "@gantry/contracts";

export type RetryPolicy = {
  readonly mode: "normal" | "always";
  readonly maxRetries: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
};

/** Longer than this a session does not wait by itself, in ms, nor more often than this in a row (CP-31). */
const parked = { maxMs: 24 * 3_600_000, maxTimes: 5 } as const;

/**
 * How long a turn that failed waits as a whole, in ms, before its session goes on by itself: what the provider asks for beyond the longest pause (CP-56).
 * Null where a person has to decide. @param times how often in a row it was sent away, this time included
 */
export function parkedDelay(
  { mode, maxRetries, maxDelayMs }: RetryPolicy,
  { code, providerRetryAfterMs: asked }: LlmFailure,
  times: number,
): number | null {
  if (mode === "always" || maxRetries === 0 || !curable.has(code) || asked === undefined) return null;
  return asked > maxDelayMs && asked <= parked.maxMs && times <= parked.maxTimes ? asked : null;
}

/** Failures that a second try may cure; everything else needs a person or another request. */
const curable: ReadonlySet<string> = new Set(["EMPTY_RESPONSE", "RATE_LIMIT", "SERVER", "TIMEOUT", "TRANSPORT"]);

/**
 * The wait before retry number `retry` (from 1), in ms, or null to give up (RTY-1, RTY-2). What the provider asks for is taken
 * exactly when it is within the cap; above it, normal mode gives up and always mode waits as long as it would on its own.
 * @param random 0 to 1, spreads the own delays by ±10 %
 */
export function retryDelay(policy: RetryPolicy, failure: LlmFailure, retry: number, random: number): number | null {
  const always = policy.mode === "always";
  if (!always && (!curable.has(failure.code) || retry > policy.maxRetries)) return null;
  const asked = failure.providerRetryAfterMs;
  if (asked !== undefined && asked <= policy.maxDelayMs) return asked;
  if (asked !== undefined && !always) return null;
  const backoff = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** Math.min(retry - 1, 30));
  return Math.round(Math.min(policy.maxDelayMs, backoff * (0.9 + 0.2 * random)));
}
