import { createHash } from "node:crypto";
import { AppError } from "@gantry/contracts";
import { type Logger, loadEnv, type Redis } from "@gantry/platform";

/** `limit` requests at once, refilled evenly over `windowMs`. */
export type RateRule = { readonly name: string; readonly limit: number; readonly windowMs: number };

/** Counts requests of a subject (an address, an account, a person) across all web processes (SC-R15). */
export type RateLimiter = {
  /** Takes one request. @throws RATE_LIMITED with `retryAfterSeconds` */
  take(rule: RateRule, subject: string): Promise<void>;
  /** Forgets the subject's count, after it has shown good faith. */
  reset(rule: RateRule, subject: string): Promise<void>;
};

/** While Redis gives no answer each process counts for itself: a limit may grow by the number of processes but never falls away. */
const redisLimitMs = 200;
const redisPauseMs = 5_000;
const maxLocalSubjects = 10_000;

/** One number a subject: the time at which its bucket is full again (generic cell rate). Returns 0 or the milliseconds to wait. */
const script = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local window, step = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now) + step
if full - window > now then return math.ceil(full - window - now) end
redis.call('SET', KEYS[1], string.format('%.3f', full), 'PX', math.ceil(full - now))
return 0`;

export function createRateLimiter(redis: Redis, log: Logger): RateLimiter {
  const local = createLocalBuckets();
  let redisFrom = 0;

  async function shared<T>(call: () => Promise<T>): Promise<T | undefined> {
    if (performance.now() < redisFrom) return undefined;
    try {
      return await withLimit(call(), redisLimitMs);
    } catch (err) {
      redisFrom = performance.now() + redisPauseMs;
      log.warn({ err }, "rate limits are counted in this process only for now");
      return undefined;
    }
  }
  return {
    async take(rule, subject) {
      const key = keyOf(rule, subject);
      const answer = await shared(() => redis.eval(script, 1, key, rule.windowMs, rule.windowMs / rule.limit));
      const waitMs = answer === undefined ? local.take(rule, key) : Number(answer);
      if (waitMs > 0) throw limited(Math.ceil(waitMs / 1000));
    },
    async reset(rule, subject) {
      const key = keyOf(rule, subject);
      local.reset(key);
      await shared(() => redis.del(key));
    },
  };
}

/** Subjects are e-mail addresses and network addresses: only their hash leaves the process. */
function keyOf(rule: RateRule, subject: string): string {
  return `${loadEnv().REDIS_PREFIX}:rate:${rule.name}:${createHash("sha256").update(subject).digest("base64url")}`;
}

function createLocalBuckets() {
  const fullAt = new Map<string, number>();
  return {
    take({ windowMs, limit }: RateRule, key: string): number {
      const now = performance.now();
      const full = Math.max(fullAt.get(key) ?? 0, now) + windowMs / limit;
      if (full - windowMs > now) return full - windowMs - now;
      fullAt.delete(key); // a Map keeps the order of insertion: the oldest goes first
      fullAt.set(key, full);
      if (fullAt.size > maxLocalSubjects) fullAt.delete(fullAt.keys().next().value ?? key);
      return 0;
    },
    reset(key: string): void {
      fullAt.delete(key);
    },
  };
}

async function withLimit<T>(promise: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${ms} ms`)), ms);
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}

function limited(retryAfterSeconds: number): AppError {
  return new AppError("RATE_LIMITED", `Too many requests. Try again in ${retryAfterSeconds} seconds.`, { data: { retryAfterSeconds } });
}
