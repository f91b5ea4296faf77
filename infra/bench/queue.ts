// Row 10 of the performance bars: from enqueue to the handler's first line, against LPUSH → BRPOP over the same Redis, one at a time.
//   node --env-file=<services> infra/bench/queue.ts
import type { OrgId, SessionId } from "@gantry/contracts";
import { createRedis, newId } from "@gantry/platform";
import { createProducer, startQueueWorker, wakeSession } from "@gantry/queue";
import { testEnv } from "@gantry/testing/test-env";

const samples = 500;
testEnv();
const producer = createProducer();
let started: (() => void) | undefined;
const idle = async (): Promise<void> => {};
const worker = await startQueueWorker({ "session.wake": async () => started?.(), "session.sweep": idle, "workspace.import": idle });

const ours: number[] = [];
const bare: number[] = [];
const push = createRedis("producer");
const pop = createRedis("worker");
for (let sample = 0; sample < samples; sample++) {
  ours.push(await timed(() => queued()));
  bare.push(await timed(() => popped()));
}
console.log(`LPUSH → BRPOP       ${show(bare)}`);
console.log(`enqueue → handler   ${show(ours)} (bar: p99 at most 10 ms)`);
await worker.close();
await producer.close();
push.disconnect();
pop.disconnect();

async function queued(): Promise<void> {
  const begun = new Promise<void>((resolve) => {
    started = resolve;
  });
  await producer.enqueue(wakeSession, { orgId: newId<OrgId>(), sessionId: newId<SessionId>(), wake: 1 });
  await begun;
}

async function popped(): Promise<void> {
  const taken = pop.brpop("bench:list", 5);
  await push.lpush("bench:list", "x");
  await taken;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function show(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(2);
  return `p50 ${at(0.5)} p99 ${at(0.99)} ms`;
}
