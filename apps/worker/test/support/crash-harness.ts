import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { UserId } from "@gantry/contracts";
import { insertCommand, withOrg } from "@gantry/db";
import { createFeedPublisher } from "@gantry/feed";
import { createRedis, newId } from "@gantry/platform";
import { createProducer, wakeSession } from "@gantry/queue";
import { type ScriptRequest, startScriptedModel, toolResults } from "@gantry/testing";
import type { TestDatabase } from "@gantry/testing/db";
import { randomOf } from "@gantry/testing/random";
import { checkSessions, type Findings } from "./crash-check.ts";
import type { CrashOptions } from "./crash-roots.ts";
import { watchStarts } from "./crash-up.ts";
import type { Ref } from "./holder.ts";
import { hasEnded, kill, startProcess } from "./processes.ts";

/** `both`: every worker dies at once. */
export type Fault = "kill" | "both" | "pause" | "flush" | "redis" | "postgres";
export type HarnessOptions = {
  readonly db: TestDatabase;
  readonly sessions: number;
  /** calls of each session, one a step */
  readonly steps: number;
  readonly seed: number;
  readonly isUnfenced?: boolean;
  /** with the leases and sweeps of an installation, and each fault only when the last one is over: what people wait for */
  readonly isShipped?: boolean;
  /** how each fault that is no kill or pause of a worker is made here */
  readonly faults?: Partial<Record<"flush" | "redis" | "postgres", () => Promise<void>>>;
  /** which fault comes next: the number of the cycle decides */
  readonly faultOf: (cycle: number) => Fault;
};

const leaseMs = 1_200;
const workers = 2;
const shippedLimitMs = 90_000;
/** long enough that most sessions are inside a body when a fault comes */
const callMs = 200;

/** Two workers, many sessions with scripted work, and faults; what they did is checked from the database and the log of side effects. */
export async function startHarness({
  db,
  sessions,
  steps,
  seed,
  isUnfenced = false,
  isShipped = false,
  faults = {},
  faultOf,
}: HarnessOptions) {
  const random = randomOf(seed);
  const effects = join(db.env.GANTRY_DATA_DIR, `effects-${newId()}.log`);
  const model = await startScriptedModel((request) => work(request, steps));
  const redis = createRedis("producer");
  const producer = createProducer();
  const publisher = createFeedPublisher(redis);
  const refs: (Ref & { userId: UserId })[] = [];
  const children: ChildProcess[] = [];
  const recoveries: number[] = [];
  const lost = new Map<string, { epoch: number; since: number }>();
  const short = { LEASE_TTL_MS: `${leaseMs}`, LEASE_HEARTBEAT_MS: "400", SWEEP_INTERVAL_MS: "1000" };
  // a build without the fence does not stop by itself either
  const endless = { ...short, LEASE_TTL_MS: "3600000", LEASE_HEARTBEAT_MS: "1800000" };
  const settings = { ...(isShipped ? {} : isUnfenced ? endless : short), DATABASE_POOL_MAX: "5", LOG_LEVEL: "warn" };
  const args = [JSON.stringify({ effects, isUnfenced } satisfies CrashOptions)];

  const starts = watchStarts();
  const startWorker = () =>
    starts.add(startProcess("apps/worker/test/support/crash-worker.ts", db.env, { log: "workers.log", args, settings }));
  const tell = async ({ orgId, sessionId, userId }: (typeof refs)[number], text: string) => {
    const payload = { kind: "send", messageId: newId(), text, target: "next-turn", wakeup: true, userId, userName: "Ada" } as const;
    const wake = await withOrg(orgId, async (tx) => {
      await insertCommand(tx, { orgId, sessionId, clientKey: newId(), payload });
      const data = { wakes: { increment: 1 } };
      return (await tx.session.update({ where: { orgId_id: { orgId, id: sessionId } }, data, select: { wakes: true } })).wakes;
    });
    // a queue that is down loses only time: the sweep finds what was committed
    await producer.enqueue(wakeSession, { orgId, sessionId, wake }).catch(() => {});
    await publisher.publishNudge({ orgId, sessionId }).catch(() => {});
  };

  const addSessions = async () => {
    const { orgId } = await db.createOrg();
    const { userId } = await db.createUser();
    await db.createMembership(orgId, userId, "owner");
    const { workspaceId } = await db.createWorkspace(orgId);
    await db.createProvider(orgId, { slug: "scripted", kind: "openai_compatible", baseUrl: model.url, models: ["test"] });
    for (let count = 0; count < sessions; count += 1) {
      const { sessionId } = await db.createSession(orgId, { workspaceId, provider: "scripted", model: "test", createdBy: userId });
      refs.push({ orgId, sessionId, userId });
    }
    return orgId;
  };

  const orgId = await addSessions();
  for (let count = 0; count < workers; count += 1) children.push(startWorker());
  for (const ref of refs) await tell(ref, "begin");

  /** Sessions that a worker process holds now. */
  const heldBy = async ({ pid }: ChildProcess) => {
    const where = { orgId, workerId: { contains: `-${pid}-` }, expiresAt: { gt: new Date() } };
    return withOrg(orgId, (tx) => tx.sessionLease.findMany({ where, select: { sessionId: true, epoch: true } }));
  };
  /** A person looks at sessions that gave up or are done, and tells them to go on. */
  const attend = async (isOver: boolean) => {
    const rows = await withOrg(orgId, (tx) =>
      tx.session.findMany({ where: { orgId, status: { in: ["failed", "idle"] } }, select: { id: true, status: true } }),
    );
    const waiting = await withOrg(orgId, (tx) =>
      tx.sessionCommand.findMany({ where: { orgId, consumedAt: null }, select: { sessionId: true }, distinct: ["sessionId"] }),
    );
    // one that was told already is not told again: its work would only pile up
    const told = new Set(waiting.map(({ sessionId }) => sessionId));
    const done = new Set(rows.filter(({ id, status }) => !told.has(id) && (status === "failed" || !isOver)).map(({ id }) => id));
    for (const ref of refs) if (done.has(ref.sessionId)) await tell(ref, "go on");
  };

  /** One of the workers that hold sessions, at random, once all are up: a fault meets one of two. @throws Error when that takes a long time */
  async function workerAtWork() {
    for (const end = performance.now() + 240_000; performance.now() < end; await pause(50)) {
      await attend(false);
      // as a supervisor does: a worker that finds no store when it starts ends by itself
      for (const [index, child] of children.entries()) if (hasEnded(child)) children[index] = startWorker();
      if (!children.every(starts.isUp)) continue;
      const all = await Promise.all(children.map(async (child) => ({ child, held: await heldBy(child) })));
      const busy = all.filter(({ held }) => held.length > 0);
      const chosen = busy[Math.floor(random() * busy.length)];
      if (chosen) return chosen;
    }
    throw new Error("no worker takes a session");
  }

  async function replace(child: ChildProcess, held: Awaited<ReturnType<typeof heldBy>>): Promise<void> {
    await kill(child);
    children[children.indexOf(child)] = startWorker();
    const since = performance.now();
    for (const { sessionId, epoch } of held) lost.set(sessionId, { epoch, since });
  }

  async function strike(fault: Fault): Promise<void> {
    if (fault === "flush" || fault === "redis" || fault === "postgres") return faults[fault]?.();
    const { child, held } = await workerAtWork();
    await pause(random() * 300);
    if (fault === "kill") await replace(child, held);
    else if (fault === "both") await Promise.all(children.map(async (each) => replace(each, await heldBy(each))));
    else {
      child.kill("SIGSTOP");
      // the leases of a build without clock are taken by hand
      if (isUnfenced) await db.asOwner(orgId, "UPDATE session_leases SET expires_at = now() WHERE org_id = $1", [orgId]);
      await pause(leaseMs + 800);
      child.kill("SIGCONT");
    }
  }

  /** Notes how long sessions of killed workers had to wait for their next holder. */
  async function observe(): Promise<void> {
    if (lost.size === 0) return;
    const where = { orgId, id: { in: [...lost.keys()] } };
    for (const { id, leaseEpoch } of await withOrg(orgId, (tx) => tx.session.findMany({ where, select: { id: true, leaseEpoch: true } }))) {
      const waiting = lost.get(id);
      if (!waiting || leaseEpoch <= waiting.epoch) continue;
      recoveries.push(performance.now() - waiting.since);
      lost.delete(id);
    }
  }

  /** Faults one after the other, while people keep the sessions at work. */
  const run = async (cycles: number, first = 0): Promise<void> => {
    for (let cycle = first; cycle < first + cycles; cycle += 1) {
      await withPatience(() => strike(faultOf(cycle)));
      const end = performance.now() + 150 + random() * 350;
      const isOver = () => (isShipped ? lost.size === 0 || performance.now() > end + shippedLimitMs : performance.now() > end);
      for (let round = 0; !isOver(); round += 1) {
        await withPatience(observe);
        if (round === 0) await withPatience(() => attend(false));
        await pause(50);
      }
    }
  };

  /** Lets everything come to rest and checks it. */
  const finish = async (limitMs = 180_000): Promise<Findings> => {
    const end = performance.now() + limitMs;
    for (;;) {
      const rows = await withOrg(orgId, (tx) => tx.session.findMany({ where: { orgId }, select: { status: true } }));
      const waiting = await withOrg(orgId, (tx) => tx.sessionCommand.count({ where: { orgId, consumedAt: null } }));
      if (waiting === 0 && rows.every(({ status }) => status === "idle")) break;
      if (performance.now() > end) break;
      await attend(true);
      await observe();
      await pause(200);
    }
    return checkSessions(refs, effects);
  };

  const close = async (): Promise<void> => {
    await Promise.all(children.filter((child) => !hasEnded(child)).map(kill));
    await producer.close();
    redis.disconnect();
    await model.close();
  };
  return { run, finish, close, recoveries };
}

/** A few repeatable calls, one a step, then an end; all of it read from the history, so that a resumed session goes on where it was. */
function work(request: ScriptRequest, steps: number) {
  const from = request.messages.findLastIndex((message) => message.role === "user" && /^(begin|go on)$/.test(message.text));
  const done = toolResults({ ...request, messages: request.messages.slice(from + 1) }).length;
  return done >= steps ? { text: "done" } : { toolCalls: [{ name: "repeatable", arguments: { waitMs: callMs }, id: `call-${newId()}` }] };
}

/** While a store is down a look fails; it is up again in a moment. */
async function withPatience<T>(look: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await look();
    } catch (error) {
      if (tries > 100) throw error;
      await pause(100);
    }
  }
}
