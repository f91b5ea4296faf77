import { request } from "node:http";
import { connectOwner } from "@gantry/db/owner";
import { createRedis, newId, overrideEnv } from "@gantry/platform";
import { createProducer, startQueueWorker, wakeSession } from "@gantry/queue";
import type { SessionRef } from "./api.ts";

/**
 * What the way from a send to a model request costs at least: one durable insert, one queue job, the rows of the log, one request of
 * the same size; no tenancy, no loop, no validation. The queue is one of its own on the same Redis.
 */
export async function startRequestFloor(modelUrl: string) {
  overrideEnv({ REDIS_PREFIX: `bench-${newId()}` });
  const producer = createProducer();
  let onJob: (() => void) | undefined;
  const idle = async (): Promise<void> => {};
  const worker = await startQueueWorker({ "session.wake": async () => onJob?.(), "session.sweep": idle, "workspace.import": idle });
  // a producer takes the prefix with its first job
  await producer.enqueue(wakeSession, { orgId: newId(), sessionId: newId(), wake: 0 });
  overrideEnv({ REDIS_PREFIX: "gantry" });
  const owner = await connectOwner();
  await owner.query("CREATE TABLE bench_commands (id uuid PRIMARY KEY, payload json NOT NULL)");

  return {
    /** Milliseconds until the last byte of the request was written and its answer began. */
    async measure({ orgId, sessionId }: SessionRef, bytes: number): Promise<number> {
      await owner.query("SELECT set_config('app.org_id', $1, false)", [orgId]);
      const start = performance.now();
      await owner.query("INSERT INTO bench_commands VALUES ($1, $2)", [newId(), JSON.stringify({ text: "hello" })]);
      const taken = new Promise<void>((resolve) => {
        onJob = resolve;
      });
      await producer.enqueue(wakeSession, { orgId, sessionId, wake: Math.floor(start * 1_000) });
      await taken;
      await owner.query("SELECT * FROM session_events WHERE session_id = $1 ORDER BY seq", [sessionId]);
      await post(`${modelUrl}/chat/completions`, bytes);
      return performance.now() - start;
    },
    async close(): Promise<void> {
      await worker.close();
      await producer.close();
      await owner.close();
    },
  };
}

function post(url: string, bytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers: { "content-length": bytes } }, (response) => {
      resolve();
      response.resume();
    });
    sent.once("error", reject);
    sent.end(Buffer.alloc(bytes, "x"));
  });
}

/** Reads the times that the installation itself keeps of a wake: when its ticket was queued and taken, in epoch milliseconds. */
export function createTicketReader() {
  const redis = createRedis("producer");
  return {
    async read(sessionId: string, wake: number): Promise<{ queued: number; taken: number }> {
      const [queued, taken] = await redis.hmget(`gantry:session.wake:${sessionId}-${wake}`, "timestamp", "processedOn");
      return { queued: Number(queued ?? Number.NaN), taken: Number(taken ?? Number.NaN) };
    },
    close: () => redis.disconnect(),
  };
}
