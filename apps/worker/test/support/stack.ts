import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after } from "node:test";
import { standardRows } from "@gantry/compose";
import type { CommandPayload, OrgId, SessionEvent, SessionId, UserId, WorkspaceId } from "@gantry/contracts";
import { insertCommand, readEvents, withOrg } from "@gantry/db";
import { createFeedPublisher } from "@gantry/feed";
import { createRedis, newId } from "@gantry/platform";
import { createProducer, wakeSession } from "@gantry/queue";
import { createSandboxClient, type SandboxClient } from "@gantry/sandbox";
import { type Script, startScriptedModel } from "@gantry/testing";
import { testDatabase } from "@gantry/testing/db";
import { startProcess, stop } from "./processes.ts";
import { until } from "./until.ts";

export { kill, stop } from "./processes.ts";
export { until } from "./until.ts";

const entries = { broker: "packages/sandbox/src/broker/main.ts", worker: "apps/worker/src/main.ts" };

/**
 * The worker's side of an installation for one test file: a database and data folder of its own, the broker as a process, a
 * scripted model, and worker processes that the test starts and kills. `sandboxdDir` comes from the test run's environment.
 */
export async function startStack(script: Script, values: Readonly<Record<string, string>> = {}) {
  // before the database's own hook: processes that use it stop first
  const stops: (() => Promise<void> | void)[] = [];
  after(async () => {
    for (const stopOne of stops.reverse()) await stopOne();
  });
  const sandboxdDir = process.env.GANTRY_SANDBOXD_DIR ?? "";
  const db = await testDatabase({
    GANTRY_ALLOW_PRIVATE_HOSTS: "1",
    LOG_LEVEL: "info",
    GANTRY_SANDBOXD_DIR: sandboxdDir,
    DRAIN_MS: "500",
    ...values,
  });
  const preset = JSON.stringify(standardRows);
  const hash = createHash("sha256").update(preset).digest("hex");
  await db.asOwner(null, "UPDATE preset_revisions SET rows = $1::jsonb, hash = $2 WHERE slug = 'standard'", [preset, hash]);
  const model = await startScriptedModel(script);
  const processes: { readonly [N in keyof typeof entries]: Set<ChildProcess> } = { broker: new Set(), worker: new Set() };
  const start = (name: keyof typeof entries) => {
    const child = startProcess(entries[name], db.env, { log: `${name}.log` });
    processes[name].add(child);
    return child;
  };
  const producer = createProducer();
  const redis = createRedis("producer");
  const publisher = createFeedPublisher(redis);
  await mkdir(join(db.env.GANTRY_DATA_DIR, "run"), { recursive: true });
  const broker = start("broker");
  const sandbox = createSandboxClient({ socketPath: db.env.GANTRY_BROKER_SOCKET });
  const workspaces: string[] = [];
  stops.push(
    () => model.close(),
    () => redis.disconnect(),
    () => producer.close(),
    () => stopAll(processes.broker),
    () => removeWorlds(sandbox, workspaces),
    () => stopAll(processes.worker),
  );
  await until(async () => (await sandbox.status()).ok, "the broker");

  const post = async (orgId: OrgId, sessionId: SessionId, payload: CommandPayload, clientKey: string = newId()) => {
    const wake = await withOrg(orgId, async (tx) => {
      await insertCommand(tx, { orgId, sessionId, clientKey, payload });
      const row = await tx.session.update({
        where: { orgId_id: { orgId, id: sessionId } },
        data: { wakes: { increment: 1 } },
        select: { wakes: true },
      });
      return row.wakes;
    });
    await producer.enqueue(wakeSession, { orgId, sessionId, wake });
    await publisher.publishNudge({ orgId, sessionId });
  };
  type Place = { orgId: OrgId; userId: UserId; workspaceId: WorkspaceId };
  /** An org with a scripted provider and a workspace. */
  const place = async (): Promise<Place> => {
    const { orgId } = await db.createOrg();
    const { userId } = await db.createUser();
    await db.createMembership(orgId, userId);
    const { workspaceId } = await db.createWorkspace(orgId);
    workspaces.push(workspaceId);
    await db.createProvider(orgId, { slug: "scripted", kind: "openai_compatible", baseUrl: model.url, models: ["test"] });
    return { orgId, userId, workspaceId };
  };
  /** A session in an org and a workspace of its own, or in those of another one. */
  const session = async (beside?: Place) => {
    const { orgId, userId, workspaceId } = beside ?? (await place());
    const { sessionId } = await db.createSession(orgId, { workspaceId, provider: "scripted", model: "test", createdBy: userId });
    const send = (text: string, target: "next-turn" | "next-step" = "next-turn") =>
      post(orgId, sessionId, { kind: "send", messageId: newId(), text, target, wakeup: true, userId, userName: "Ada" });
    const cancel = () => post(orgId, sessionId, { kind: "cancel", keepInbox: false, userId });
    const events = () => readEvents(orgId, sessionId);
    // where the broker mounts the workspace on this host; only tests look there
    const files = join(db.env.GANTRY_DATA_DIR, "volumes", "mounted", workspaceId, "workspace");
    return {
      orgId,
      userId,
      workspaceId,
      sessionId,
      post: (payload: CommandPayload) => post(orgId, sessionId, payload),
      send,
      cancel,
      events,
      files,
    };
  };
  return { db, model, sandbox, broker, startBroker: () => start("broker"), startWorker: () => start("worker"), session };
}

async function stopAll(processes: ReadonlySet<ChildProcess>): Promise<void> {
  await Promise.all([...processes].map(stop));
}

/** Worlds outlive their broker by design; a test takes its own away. */
async function removeWorlds(sandbox: SandboxClient, workspaces: readonly string[]): Promise<void> {
  for (const { worldId } of await sandbox.listWorlds()) await sandbox.stopWorld(worldId);
  for (const workspaceId of workspaces) await sandbox.removeWorkspace(workspaceId);
}

export const turnEnds = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === "turn/end" ? [event.data.reason.kind] : []));
