import type { QueueWorker } from "@gantry/queue";

type Stopping = {
  readonly draining: AbortController;
  readonly stopping: AbortController;
  readonly limitMs: number;
};

/** Takes no more work, lets the sessions that run come to a step boundary, and ends those that did not within the limit where they are (REC-4). */
export async function drainWorker(worker: QueueWorker, { draining, stopping, limitMs }: Stopping): Promise<void> {
  draining.abort();
  const timer = setTimeout(() => stopping.abort(), limitMs);
  try {
    await worker.close();
  } finally {
    clearTimeout(timer);
    stopping.abort();
  }
}
