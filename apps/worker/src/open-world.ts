import type { Agent } from "@gantry/agent";
import type { WorkspaceId } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import type { SandboxClient, World } from "@gantry/sandbox";

/**
 * The session's container: joins the one that still runs, else starts another and records its life. A failed start is
 * recorded with its cause, so that the page can show it (CP-03, CP-19).
 */
export async function openWorld(client: SandboxClient, agent: Agent, workspaceId: WorkspaceId, signal?: AbortSignal): Promise<World> {
  const { orgId, sessionId, epoch } = agent;
  const worldId = await currentWorld(agent, workspaceId);
  const since = Date.now();
  const onPhase = (phase: string) => {
    if (phase !== "ready") agent.showActivity({ kind: "starting-sandbox", since, phase });
  };
  try {
    const world = await client.openWorld({
      orgId,
      sessionId,
      workspaceId,
      worldId,
      epoch,
      mode: agent.sandboxMode(),
      onPhase,
      ...(signal ? { signal } : {}),
    });
    await update(agent, worldId, { state: "ready", readyAt: new Date(), problem: null });
    return world;
  } catch (error) {
    await update(agent, worldId, { state: "failed", goneAt: new Date(), problem: error instanceof Error ? error.message : "unknown" });
    throw error;
  }
}

async function currentWorld({ orgId, sessionId }: Agent, workspaceId: WorkspaceId): Promise<string> {
  return withOrg(orgId, async (tx) => {
    const row = await tx.sandbox.findFirst({
      where: { orgId, sessionId, state: { in: ["starting", "ready"] } },
      orderBy: { createdAt: "desc" },
      select: { id: true },
    });
    if (row) return row.id;
    const id = newId();
    await tx.sandbox.create({ data: { id, orgId, sessionId, workspaceId, state: "starting" } });
    return id;
  });
}

type Change = { state: "ready" | "failed"; problem: string | null; readyAt?: Date; goneAt?: Date };

async function update({ orgId }: Agent, id: string, data: Change): Promise<void> {
  await withOrg(orgId, (tx) => tx.sandbox.update({ where: { orgId_id: { orgId, id } }, data }));
}
