import { createLogger, createRedis, type Logger, loadEnv, type Redis } from "@gantry/platform";
import { type Job, UnrecoverableError, Worker } from "bullmq";
import type { DefinedJob } from "./define-job.ts";
import { type JobName, jobs, type PayloadOf } from "./jobs/index.ts";
import { requireNoEviction } from "./require-no-eviction.ts";
import { keepSchedule } from "./schedule.ts";

export type HandlerContext = {
  /** Aborts when this process is asked to stop: come to a safe point and return. */
  readonly signal: AbortSignal;
  /** 1 for the first try; a job taken over from a dead worker does not count as another. */
  readonly attempt: number;
  /** The worker that had this job stopped answering, so what it held may still look held. */
  readonly takenOver: boolean;
};
/** One handler a job; a missing one does not compile. Delivery is at least once: a handler fences its effects in Postgres. */
export type QueueHandlers = { readonly [N in JobName]: (payload: PayloadOf<N>, context: HandlerContext) => Promise<void> };
export type QueueWorker = {
  /** Stops taking jobs, aborts the handlers' signal and waits until they are done. */
  close(): Promise<void>;
};

/**
 * Equal in every worker of the installation, because BullMQ guards the check for stalled jobs with one shared key that lives for the
 * interval of whoever ran it last. A job of a killed worker is taken over after at most their sum.
 */
const lockDuration = 4_000;
const stalledInterval = 2_000;
/** The default 1 fails a job for good on its worker's second crash. */
const maxStalledCount = 5;

/**
 * Serves the installation's queues with `concurrency` sessions at once, and keeps the sweep on its schedule.
 * @throws Error when Redis does not answer within 10 s or evicts keys when full
 */
export async function startQueueWorker(handlers: QueueHandlers, { concurrency = loadEnv().WORKER_CONCURRENCY } = {}): Promise<QueueWorker> {
  const log = createLogger("queue");
  const redis = createRedis("worker");
  await checked(redis);
  const stopping = new AbortController();
  const workers = Object.values(jobs).map((job) =>
    serve(job, handlers[job.name] as AnyHandler, { redis, log, concurrency, signal: stopping.signal }),
  );
  const schedule = keepSchedule(loadEnv().SWEEP_INTERVAL_MS);
  return {
    async close() {
      stopping.abort();
      await schedule.close();
      await Promise.all(workers.map((worker) => worker.close()));
      redis.disconnect();
    },
  };
}

type AnyHandler = (payload: unknown, context: HandlerContext) => Promise<void>;
type Serving = { redis: Redis; log: Logger; concurrency: number; signal: AbortSignal };

function serve(job: DefinedJob, handler: AnyHandler, { redis, log, concurrency, signal }: Serving): Worker {
  const run = async ({ data, attemptsMade, stalledCounter }: Job): Promise<void> => {
    const payload = job.payload.safeParse(data);
    if (!payload.success) throw new UnrecoverableError(`the payload of ${job.name} does not fit this release`);
    await handler(payload.data, { signal, attempt: attemptsMade + 1, takenOver: stalledCounter > 0 });
  };
  const worker = new Worker(job.name, run, {
    connection: redis,
    prefix: loadEnv().REDIS_PREFIX,
    concurrency: job.concurrency ?? concurrency,
    lockDuration,
    stalledInterval,
    maxStalledCount,
  });
  worker.on("error", (err) => log.debug({ err, queue: job.name }, "queue connection error"));
  worker.on("failed", (failed, err) => log.error({ err, job: job.name, jobId: failed?.id, attempt: failed?.attemptsMade }, "job failed"));
  worker.on("stalled", (jobId) => log.warn({ job: job.name, jobId }, "job taken over from a worker that stopped answering"));
  return worker;
}

const startLimitMs = 10_000;

async function checked(redis: Redis): Promise<void> {
  const late = AbortSignal.timeout(startLimitMs);
  const tooLate = new Promise<never>((_, reject) => {
    late.addEventListener("abort", () => reject(new Error(`Redis does not answer at REDIS_URL (waited ${startLimitMs} ms).`)), {
      once: true,
    });
  });
  tooLate.catch(() => {}); // nobody waits for it once the check has its answer
  try {
    await Promise.race([requireNoEviction(redis), tooLate]);
  } catch (error) {
    redis.disconnect();
    throw error;
  }
}
