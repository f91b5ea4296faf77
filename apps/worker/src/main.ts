import { hostname } from "node:os";
import { runForOrg } from "@gantry/agent";
import { closeDatabase } from "@gantry/db";
import { createFeedPublisher, createFeedSubscriber, setStatus } from "@gantry/feed";
import { createLogger, createRedis, loadEnv, newId, objectStore, onShutdown } from "@gantry/platform";
import { createProducer, startQueueWorker } from "@gantry/queue";
import { createSandboxClient } from "@gantry/sandbox";
import type { WorkerDeps } from "./compose.ts";
import { drainWorker } from "./drain-worker.ts";
import { importWorkspace } from "./handlers/import-workspace.ts";
import { sweepSessions } from "./handlers/sweep-sessions.ts";
import { wakeSession } from "./handlers/wake-session.ts";
import { OrgGrounds } from "./org-grounds.ts";
import { replaceWorker } from "./replace-worker.ts";
import { OrgRoots } from "./roots/org-roots.ts";

const statusMs = 10_000;

const env = loadEnv();
const log = createLogger("worker");
const [draining, stopping] = [new AbortController(), new AbortController()];
const producerRedis = createRedis("producer");
const subscriberRedis = createRedis("pubsub");
const deps: WorkerDeps = {
  env,
  log,
  workerId: `${hostname()}-${process.pid}-${newId().slice(-8)}`,
  producer: createProducer(),
  publisher: createFeedPublisher(producerRedis),
  subscriber: createFeedSubscriber(subscriberRedis),
  objects: objectStore(),
  sandbox: createSandboxClient({ socketPath: env.GANTRY_BROKER_SOCKET }),
  grounds: new OrgGrounds(env),
  roots: new OrgRoots(env, log, { onTaint: (reason) => void replaceWorker(log, reason) }),
  holding: new Set(),
  draining: draining.signal,
  stop: stopping.signal,
};

// registered first, so stopped last
onShutdown("database", closeDatabase);
onShutdown("redis", () => {
  producerRedis.disconnect();
  subscriberRedis.disconnect();
});
onShutdown("feed", () => deps.publisher.flush());
onShutdown("roots", () => deps.roots.close());

const worker = await startQueueWorker({
  "session.wake": (payload, context) => runForOrg(payload.orgId, () => wakeSession(deps, payload, context)),
  "session.sweep": async () => {
    await sweepSessions(deps);
  },
  "workspace.import": (payload) => runForOrg(payload.orgId, () => importWorkspace(deps, payload)),
});
onShutdown("sessions", () => drainWorker(worker, { draining, stopping, limitMs: env.DRAIN_MS }));

const reportStatus = async () => {
  const engine = await deps.sandbox.status();
  await setStatus(
    producerRedis,
    { workerId: deps.workerId, at: Date.now(), sessions: deps.holding.size, engine, roots: deps.roots.counts() },
    statusMs * 3,
  );
};
const timer = setInterval(() => void reportStatus().catch((err: unknown) => log.debug({ err }, "status not reported")), statusMs);
onShutdown("status", () => clearInterval(timer));
await reportStatus().catch((err: unknown) => log.warn({ err }, "status not reported"));
// what a worker that died here left behind is taken up at once, and again when its leases have run out
const sweep = () => sweepSessions(deps).catch((err: unknown) => log.warn({ err }, "sweep failed; the next is on schedule"));
await sweep();
const second = setTimeout(() => void sweep(), env.LEASE_TTL_MS + 500);
onShutdown("second sweep", () => clearTimeout(second));
log.info({ workerId: deps.workerId }, "worker ready");
