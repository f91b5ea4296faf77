import type { Redis } from "@gantry/platform";

/** @throws Error when this Redis would drop queue keys under memory pressure, which loses jobs without a trace */
export async function requireNoEviction(redis: Redis): Promise<void> {
  const policy = /^maxmemory_policy:(\S+)/m.exec(await redis.info("memory"))?.[1];
  if (policy === undefined || policy === "noeviction") return;
  throw new Error(
    `Redis evicts keys when it is full (maxmemory-policy ${policy}), which loses queued work. Start it with --maxmemory-policy noeviction.`,
  );
}
