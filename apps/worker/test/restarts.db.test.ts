import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { withOrg } from "@gantry/db";
import { wakeSession } from "@gantry/queue";
import { toolResults } from "@gantry/testing";
import { watchStarts } from "./support/crash-up.ts";
import { type Ref, startHolder } from "./support/holder.ts";
import { kill, startProcess, stop } from "./support/processes.ts";
import { until } from "./support/until.ts";

const restarts = 20;
const sessions = 4;

/** One call for each message, then an answer that names it. */
const holder = await startHolder((request) => {
  const from = request.messages.findLastIndex((message) => message.role === "user" && /^job \d+$/.test(message.text));
  const asked = request.messages[from];
  const done = toolResults({ ...request, messages: request.messages.slice(from + 1) });
  if (!done.some(({ text }) => /^ran /.test(text))) return { toolCalls: [{ name: "repeatable", arguments: { waitMs: 100 } }] };
  return { text: `answer to ${asked?.role === "user" ? asked.text : "nothing"}` };
});
const { db, deps, addOrg, say, events, row, waiting } = holder;
const starts = watchStarts();
const settings = { LEASE_TTL_MS: "6000", LEASE_HEARTBEAT_MS: "1000", SWEEP_INTERVAL_MS: "1000", LOG_LEVEL: "warn" };
const startWorker = () => {
  const args = [JSON.stringify({ effects: join(db.env.GANTRY_DATA_DIR, "effects.log") })];
  const child = starts.add(startProcess("apps/worker/test/support/crash-worker.ts", db.env, { log: "worker.log", args, settings }));
  after(() => kill(child));
  return child;
};

/** Tickets as a fault may make them: the new one three times, and all that there have been. */
async function announce({ orgId, sessionId }: Ref, wakes: number): Promise<void> {
  const numbers = [wakes, wakes, ...Array.from({ length: wakes }, (_, wake) => wake + 1)];
  await Promise.all(numbers.map((wake) => deps.producer.enqueue(wakeSession, { orgId, sessionId, wake })));
}

const texts = async (ref: Ref) =>
  (await events(ref)).flatMap((event) => {
    const message = event.type === "user/message" ? event.data : event.type === "assistant/message" ? event.data.message : null;
    return message ? message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])) : [];
  });

test(`CP-50 ${restarts} restarts of the worker under load, with every ticket queued several times: each message is taken once and answered once`, {
  timeout: 600_000,
}, async (t) => {
  const { orgId, userId, addSession } = await addOrg();
  const refs = await Promise.all(Array.from({ length: sessions }, () => addSession()));
  const ends = async () => withOrg(orgId, (tx) => tx.sessionEvent.count({ where: { orgId, type: "turn/end" } }));
  for (let restart = 1; restart <= restarts; restart += 1) {
    for (const ref of refs) {
      await say(ref, userId, `job ${restart}`);
      await announce(ref, restart);
    }
    const before = await ends();
    const worker = startWorker();
    await until(async () => starts.isUp(worker) && (await ends()) > before, `work after restart ${restart}`);
    await (restart % 4 === 0 ? kill(worker) : stop(worker));
  }
  const last = startWorker();
  const isAtRest = async (ref: Ref) => (await waiting(ref)).length === 0 && (await row(ref)).status === "idle";
  await until(async () => (await Promise.all(refs.map(isAtRest))).every(Boolean), "the end of the work", 400_000);
  await stop(last);
  const jobs = Array.from({ length: restarts }, (_, index) => `job ${index + 1}`);
  for (const ref of refs) {
    const said = await texts(ref);
    assert.deepEqual(
      said.filter((text) => /^job \d+$/.test(text)),
      jobs,
      "each trigger once, in order",
    );
    assert.deepEqual(
      said.filter((text) => /^answer to/.test(text)),
      jobs.map((job) => `answer to ${job}`),
      "each run once",
    );
  }
  t.diagnostic(`${await ends()} turns for ${sessions * restarts} messages, ${holder.model.requests.length} model requests`);
});
