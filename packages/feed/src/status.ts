import { loadEnv, type Redis } from "@gantry/platform";
import { z } from "zod";

const EngineReport = z.object({
  ok: z.boolean(),
  engineVersion: z.string().nullable(),
  isolation: z.enum(["runc", "userns", "gvisor", "unknown"]),
  seccomp: z.boolean(),
  quotaEnforced: z.boolean(),
  imagePresent: z.boolean(),
  problems: z.array(z.string()),
});
const RootReport = z.object({
  roots: z.number().int(),
  draining: z.number().int(),
  tenantMismatches: z.number().int(),
  fallbacks: z.number().int(),
});
/** What one worker last said about itself and the container engine it reaches. */
export const WorkerStatus = z.object({
  workerId: z.string(),
  /** epoch milliseconds of the report, by the worker's clock: for people to read, not to compare */
  at: z.number(),
  sessions: z.number().int().nonnegative(),
  engine: EngineReport.nullable(),
  /** for operators: its org roots, calls across orgs that were stopped, compositions that were left aside */
  roots: RootReport.optional(),
});
export type WorkerStatus = z.infer<typeof WorkerStatus>;
/** The installation as its living workers report it. */
export type InstallationStatus = { readonly workerCount: number; readonly sessions: number; readonly engine: WorkerStatus["engine"] };

const members = (): string => `${loadEnv().REDIS_PREFIX}:workers`;
/** Written with each look, since a full Redis still answers what only reads. */
const probe = (): string => `${loadEnv().REDIS_PREFIX}:probe`;
const probeMs = 1_000;
const keyOf = (workerId: string): string => `${loadEnv().REDIS_PREFIX}:worker:${workerId}`;

/** Publishes a worker's status; it counts as gone when it has not repeated this within `ttlMs`. */
export async function setStatus(redis: Redis, status: WorkerStatus, ttlMs: number): Promise<void> {
  await redis.multi().sadd(members(), status.workerId).set(keyOf(status.workerId), JSON.stringify(status), "PX", ttlMs).exec();
}

/** The installation's status, or null when no worker has reported lately. @throws when Redis does not answer, or is full and takes no more work (CP-51) */
export async function getStatus(redis: Redis): Promise<InstallationStatus | null> {
  const [ids] = await Promise.all([redis.smembers(members()), redis.set(probe(), "1", "PX", probeMs)]);
  if (ids.length === 0) return null;
  const texts = await redis.mget(ids.map(keyOf));
  const gone = ids.filter((_, index) => texts[index] === null);
  if (gone.length > 0) await redis.srem(members(), ...gone);
  const workers = texts.flatMap((text) => (text ? [WorkerStatus.parse(JSON.parse(text))] : []));
  if (workers.length === 0) return null;
  const sessions = workers.reduce((sum, worker) => sum + worker.sessions, 0);
  // the worst report counts: an operator has to see that one host is down
  const engine = workers.map((worker) => worker.engine).sort((a, b) => Number(a?.ok ?? false) - Number(b?.ok ?? false))[0] ?? null;
  return { workerCount: workers.length, sessions, engine };
}
