import { AppError } from "@gantry/contracts";
import { createLogger, createRedis, loadEnv, type Redis } from "@gantry/platform";
import { type JobsOptions, Queue } from "bullmq";
import type { DefinedJob } from "./define-job.ts";
import type { JobName, Jobs, PayloadOf } from "./jobs/index.ts";

export type Producer = {
  /**
   * Adds a job after the commit of what it announces. Adding a key that Redis still holds does nothing.
   * @throws UNAVAILABLE within about two seconds while Redis is away: what was committed stands and the sweep finds it
   */
  enqueue<N extends JobName>(job: Jobs[N], payload: PayloadOf<N>): Promise<void>;
  close(): Promise<void>;
};

/** A producer of queue jobs for a process that answers requests: it never waits for an absent Redis. */
export function createProducer(redis: Redis = createRedis("producer")): Producer {
  const queues = new Map<string, Queue>();
  const queueOf = (name: string): Queue => {
    const queue = queues.get(name) ?? openQueue(name, redis);
    queues.set(name, queue);
    return queue;
  };
  return {
    async enqueue(job, payload) {
      const definition: DefinedJob = job;
      const data = definition.payload.parse(payload);
      try {
        await queueOf(job.name).add(job.name, data, { ...optionsOf(definition), jobId: definition.key(data) });
      } catch (cause) {
        throw new AppError("UNAVAILABLE", "The work queue does not answer right now. What was saved is picked up within a minute.", {
          cause,
        });
      }
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      redis.disconnect();
    },
  };
}

/**
 * `skipWaitingForReady`: without it an add waits for ever while Redis is away, whatever the connection's own limits say. `skipVersionCheck`: BullMQ asks
 * Redis for its version once and keeps a failure, so a queue that was opened during an outage would never work again.
 */
export function openQueue(name: string, redis: Redis): Queue {
  const options = { connection: redis, prefix: loadEnv().REDIS_PREFIX, skipWaitingForReady: true, skipVersionCheck: true };
  const queue = new Queue(name, options);
  queue.on("error", (err) => createLogger("queue").debug({ err, queue: name }, "queue connection error"));
  return queue;
}

export function optionsOf({ attempts, keep }: DefinedJob): JobsOptions {
  const kept = keep === 0 ? true : { count: keep, age: 24 * 3600 };
  return { attempts, backoff: { type: "exponential", delay: 1_000 }, removeOnComplete: kept, removeOnFail: kept };
}
