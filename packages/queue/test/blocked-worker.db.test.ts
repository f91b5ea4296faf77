import assert from "node:assert/strict";
import { once } from "node:events";
import { after, test } from "node:test";
import { createRedis } from "@gantry/platform";
import { testEnv } from "@gantry/testing/test-env";
import { createProducer, startQueueWorker, wakeSession } from "../src/index.ts";
import { idle, ids, until, workerProcess } from "./support.ts";

const { REDIS_PREFIX } = testEnv();
const redis = createRedis("producer");
const producer = createProducer();
after(async () => {
  await producer.close();
  redis.disconnect();
});

const key = (part: string) => `${REDIS_PREFIX}:${wakeSession.name}:${part}`;
/** How often each job was told to have ended, from the queue's own event stream. */
async function ends(): Promise<string[]> {
  const entries = await redis.xrange(key("events"), "-", "+");
  const told = entries.map(([, fields]) => Object.fromEntries(fields.map((value, index) => [value, fields[index + 1]])));
  return told.flatMap(({ event, jobId }) => (event === "completed" || event === "failed" ? [`${event} ${jobId}`] : []));
}

const jobs = 5;
/** Takes its jobs, says so, and ends them when it is told to. */
const blocking = `async () => {
  globalThis.told ??= new Promise((resolve) => process.once("SIGUSR2", resolve));
  console.log("taken");
  await globalThis.told;
  console.log("back");
}`;

/** A worker that has taken all jobs and now stands still, and another one that takes them over. */
async function takeOver() {
  await redis.del(key("events"));
  const blocked = workerProcess(blocking);
  after(() => blocked.kill("SIGKILL"));
  const said: string[] = [];
  blocked.stdout.on("data", (text: Buffer) => said.push(...text.toString().trim().split("\n")));
  const count = (word: string) => said.filter((line) => line === word).length;
  const tickets = Array.from({ length: jobs }, () => ({ ...ids(), wake: 1 }));
  for (const ticket of tickets) await producer.enqueue(wakeSession, ticket);
  await until(() => count("taken") === jobs);
  blocked.kill("SIGSTOP"); // for as long as it takes until its locks have run out, however slow the machine is
  const takenOver: string[] = [];
  const worker = await startQueueWorker({ ...idle, "session.wake": async ({ sessionId }) => void takenOver.push(sessionId) });
  await until(() => takenOver.length === jobs);
  await until(async () => (await redis.llen(key("active"))) === 0);
  return { blocked, count, tickets, worker };
}

async function assertEndedOnce(tickets: ReadonlyArray<Parameters<typeof wakeSession.key>[0]>): Promise<void> {
  assert.deepEqual([await redis.llen(key("active")), await redis.zcard(key("failed"))], [0, 0]);
  assert.deepEqual((await ends()).sort(), tickets.map((ticket) => `completed ${wakeSession.key(ticket)}`).sort());
}

test("CP-47 a worker whose event loop stands still and that is killed: each of its jobs ends once, none stays active", {
  timeout: 180_000,
}, async () => {
  const { blocked, tickets, worker } = await takeOver();
  const exit = once(blocked, "exit");
  blocked.kill("SIGKILL");
  await exit;
  await assertEndedOnce(tickets);
  await worker.close();
});

test("CP-47 a worker whose event loop stood still ends none of its old jobs a second time, and takes new ones", {
  timeout: 180_000,
}, async () => {
  const { blocked, count, tickets, worker } = await takeOver();
  await worker.close();
  blocked.kill("SIGUSR2");
  blocked.kill("SIGCONT");
  await until(() => count("back") === jobs);
  const next = { ...ids(), wake: 1 };
  await producer.enqueue(wakeSession, next);
  await until(async () => count("back") === jobs + 1 && (await redis.llen(key("active"))) === 0);
  await assertEndedOnce([...tickets, next]);
  blocked.kill("SIGKILL");
});
