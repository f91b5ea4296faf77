import { join } from "node:path";
import { after } from "node:test";
import { runForOrg } from "@gantry/agent";
import type { CommandPayload, OrgId, PresetId, SessionEvent, SessionId, UserId } from "@gantry/contracts";
import { insertCommand, pendingCommands, readEvents, withOrg } from "@gantry/db";
import { createFeedPublisher, createFeedSubscriber } from "@gantry/feed";
import { createRedis, newId, objectStore } from "@gantry/platform";
import { createProducer } from "@gantry/queue";
import { createSandboxClient } from "@gantry/sandbox";
import { type Script, startScriptedModel } from "@gantry/testing";
import { testDatabase } from "@gantry/testing/db";
import type { WorkerDeps } from "../../src/compose.ts";
import { wakeSession } from "../../src/handlers/wake-session.ts";
import { OrgGrounds } from "../../src/org-grounds.ts";
import { OrgRoots } from "../../src/roots/org-roots.ts";
import { captureLog, type Line } from "./capture-log.ts";

export type Ref = { readonly orgId: OrgId; readonly sessionId: SessionId };
type Roots = ConstructorParameters<typeof OrgRoots>[2];

type Values = Readonly<Record<string, string>>;

/** Sessions held in this process, on a database of the test's own and a scripted model; there is no container engine. */
export async function startHolder(script: Script, options: Roots = {}, values: Values = {}) {
  const db = await testDatabase({ GANTRY_ALLOW_PRIVATE_HOSTS: "1", LOG_LEVEL: "error", ...values });
  const model = await startScriptedModel(script);
  const [redis, pubsub] = [createRedis("producer"), createRedis("pubsub")];
  const [draining, stopping] = [new AbortController(), new AbortController()];
  const lines: Line[] = [];
  const log = captureLog(lines);
  const deps: WorkerDeps = {
    env: db.env,
    log,
    workerId: newId(),
    producer: createProducer(),
    publisher: createFeedPublisher(redis),
    subscriber: createFeedSubscriber(pubsub),
    objects: objectStore(),
    sandbox: createSandboxClient({ socketPath: join(db.env.GANTRY_DATA_DIR, "no-broker.sock") }),
    grounds: new OrgGrounds(db.env),
    roots: new OrgRoots(db.env, log, options),
    holding: new Set(),
    draining: draining.signal,
    stop: stopping.signal,
  };
  const holds = new Set<Promise<void>>();
  after(async () => {
    stopping.abort();
    await Promise.allSettled(holds);
    await deps.roots.close();
    await deps.publisher.flush();
    await deps.producer.close();
    for (const connection of [redis, pubsub]) connection.disconnect();
    await model.close();
  });

  const addOrg = async () => {
    const { orgId } = await db.createOrg();
    const { userId } = await db.createUser();
    await db.createMembership(orgId, userId, "owner");
    const { workspaceId } = await db.createWorkspace(orgId);
    await db.createProvider(orgId, { slug: "scripted", kind: "openai_compatible", baseUrl: model.url, models: ["test"] });
    const addSession = async (preset?: { presetId: PresetId; revision: number }) => {
      const { sessionId } = await db.createSession(orgId, { workspaceId, provider: "scripted", model: "test", createdBy: userId });
      const data = preset ? { presetId: preset.presetId, presetRevision: preset.revision } : {};
      await withOrg(orgId, (tx) => tx.session.update({ where: { orgId_id: { orgId, id: sessionId } }, data }));
      return { orgId, sessionId };
    };
    return { orgId, userId, addSession };
  };
  /** A preset of the org with one revision, which is the current one. */
  const addPreset = async (orgId: OrgId, slug: string, rows: readonly object[]) => {
    const presetId = newId<PresetId>();
    await withOrg(orgId, async (tx) => {
      await tx.preset.create({ data: { id: presetId, orgId, slug, currentRevision: 1 } });
      await tx.presetRevision.create({ data: { presetId, revision: 1, orgId, slug, name: slug, rows: [...rows], hash: newId() } });
    });
    return { presetId, revision: 1 };
  };
  const post = async ({ orgId, sessionId }: Ref, payload: CommandPayload) => {
    await withOrg(orgId, (tx) => insertCommand(tx, { orgId, sessionId, clientKey: newId(), payload }));
    await deps.publisher.publishNudge({ orgId, sessionId });
  };
  const say = (ref: Ref, userId: UserId, text: string) =>
    post(ref, { kind: "send", messageId: newId(), text, target: "next-turn", wakeup: true, userId, userName: "Ada" });
  /** Holds the session as a ticket makes a worker do; resolves when it was given back. */
  const hold = (ref: Ref): Promise<void> => {
    const held = runForOrg(ref.orgId, () => wakeSession(deps, ref, { takenOver: false }));
    holds.add(held);
    return held;
  };
  const row = ({ orgId, sessionId }: Ref) =>
    withOrg(orgId, (tx) => tx.session.findUniqueOrThrow({ where: { orgId_id: { orgId, id: sessionId } } }));
  const events = ({ orgId, sessionId }: Ref): Promise<SessionEvent[]> => readEvents(orgId, sessionId);
  const waiting = async ({ orgId, sessionId }: Ref) => (await pendingCommands(orgId, sessionId)).map(({ payload }) => payload.kind);
  return { db, model, deps, lines, addOrg, addPreset, post, say, hold, row, events, waiting };
}
