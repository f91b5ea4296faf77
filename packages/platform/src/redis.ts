import { Redis, type RedisOptions } from "ioredis";
import { loadEnv } from "./env.ts";
import { createLogger } from "./logger.ts";

export type { Redis } from "ioredis";

/** `producer` answers requests and fails fast; `worker` and `pubsub` wait as long as an outage takes. */
export type RedisRole = "producer" | "worker" | "pubsub";

const quietMs = 10_000;

const roles: { [R in RedisRole]: RedisOptions } = {
  producer: { maxRetriesPerRequest: 1, commandTimeout: 2_000, connectTimeout: 2_000 },
  worker: { maxRetriesPerRequest: null },
  pubsub: { maxRetriesPerRequest: null, autoResubscribe: true },
};

/**
 * A Redis connection that reconnects by itself and logs an outage once every 10 s instead of throwing from the event loop.
 * A producer's command rejects within about two seconds while Redis is away. The caller closes it with `quit()` or `disconnect()`.
 */
export function createRedis(role: RedisRole): Redis {
  const log = createLogger("redis");
  const redis = new Redis(loadEnv().REDIS_URL, {
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), 2_000),
    ...roles[role],
  });
  let quietUntil = 0;
  redis.on("error", (err) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + quietMs;
    log.warn({ role, err }, "redis connection failed; it is tried again");
  });
  return redis;
}
