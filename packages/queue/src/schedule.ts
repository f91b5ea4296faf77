import { createLogger, createRedis } from "@gantry/platform";
import { sweepSessions } from "./jobs/index.ts";
import { openQueue, optionsOf } from "./producer.ts";

/**
 * Keeps `session.sweep` repeating each `everyMs`. The schedule lives in Redis, so it is looked after from here: a flushed Redis gets it back
 * within one interval, and an existing one is left alone, as writing it again would move its next tick.
 */
export function keepSchedule(everyMs: number): { close(): Promise<void> } {
  const log = createLogger("queue");
  const redis = createRedis("producer");
  const queue = openQueue(sweepSessions.name, redis);
  let running: Promise<void> = Promise.resolve();
  const ensure = async (): Promise<void> => {
    try {
      const scheduler = await queue.getJobScheduler(sweepSessions.name);
      if (Number(scheduler?.every) === everyMs) return;
      const { attempts, removeOnComplete, removeOnFail } = optionsOf(sweepSessions);
      const opts = { ...(attempts ? { attempts } : {}), removeOnComplete, removeOnFail };
      await queue.upsertJobScheduler(sweepSessions.name, { every: everyMs }, { name: sweepSessions.name, data: {}, opts });
    } catch (err) {
      log.warn({ err }, "the sweep's schedule could not be checked; it is tried again at the next interval");
    }
  };
  const check = (): void => {
    running = running.then(ensure);
  };
  check();
  const timer = setInterval(check, everyMs);
  return {
    async close() {
      clearInterval(timer);
      await running;
      await queue.close();
      redis.disconnect();
    },
  };
}
