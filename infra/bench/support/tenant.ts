import type { CommandPayload, OrgId, SessionId, UserId, WorkspaceId } from "@gantry/contracts";
import { insertCommand, withOrg } from "@gantry/db";
import { createFeedPublisher } from "@gantry/feed";
import { createRedis, newId } from "@gantry/platform";
import { createProducer, wakeSession } from "@gantry/queue";
import { factories } from "@gantry/testing/db-factories";

export type BenchSession = { readonly orgId: OrgId; readonly sessionId: SessionId; readonly workspaceId: WorkspaceId };

/** An org with a provider at `modelUrl` whose messages go to the worker without a web process between. */
export async function openTenant(modelUrl: string, { presetRevision = 2 } = {}) {
  const { userId } = await factories.createUser();
  const { orgId } = await factories.createOrg({ userId });
  await factories.createProvider(orgId, { slug: "model", kind: "openai_compatible", baseUrl: modelUrl, models: ["bench"] });
  const producer = createProducer();
  const redis = createRedis("producer");
  const publisher = createFeedPublisher(redis);

  async function newSession(): Promise<BenchSession> {
    const { workspaceId } = await factories.createWorkspace(orgId, { createdBy: userId });
    const { sessionId } = await factories.createSession(orgId, { workspaceId, createdBy: userId, provider: "model", model: "bench" });
    const where = { orgId_id: { orgId, id: sessionId } };
    await withOrg(orgId, (tx) => tx.session.update({ where, data: { presetRevision } }));
    return { orgId, sessionId, workspaceId };
  }

  /** Queues the texts as messages of their own turns, in one transaction, and wakes the session. */
  async function send(sessionId: SessionId, ...texts: string[]): Promise<void> {
    const wake = await withOrg(orgId, async (tx) => {
      let last = 0;
      for (const text of texts)
        last = (await insertCommand(tx, { orgId, sessionId, clientKey: newId(), payload: message(userId, text) })).wake;
      return last;
    });
    await producer.enqueue(wakeSession, { orgId, sessionId, wake });
    await publisher.publishNudge({ orgId, sessionId });
  }

  /** The session's container. @throws Error when it has none */
  async function worldOf(sessionId: SessionId): Promise<string> {
    const { id } = await withOrg(orgId, (tx) =>
      tx.sandbox.findFirstOrThrow({ where: { orgId, sessionId, state: "ready" }, select: { id: true } }),
    );
    return id;
  }

  async function close(): Promise<void> {
    await producer.close();
    redis.disconnect();
  }
  return { orgId, userId, newSession, send, worldOf, close };
}

const message = (userId: UserId, text: string): CommandPayload => ({
  kind: "send",
  messageId: newId(),
  text,
  target: "next-turn",
  wakeup: true,
  userId,
  userName: "Ada",
});
