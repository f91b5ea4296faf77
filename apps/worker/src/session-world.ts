import type { Agent, SiblingWorld } from "@gantry/agent";
import { AppError, isAppError, type WorkspaceId } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import type { SandboxClient, SandboxMode, World } from "@gantry/sandbox";
import { tellPhases } from "./tell-phases.ts";

/** The container of a held session: opened on demand, let go of at the end and left running for the next holder. */
export class SessionWorld {
  private readonly client: SandboxClient;
  private readonly workspaceId: WorkspaceId;
  private world: World | null = null;
  private isClosed = false;

  constructor(client: SandboxClient, workspaceId: WorkspaceId) {
    this.client = client;
    this.workspaceId = workspaceId;
  }

  /**
   * Joins the world that still runs, else starts another and records its life; a failed start is recorded with its cause (CP-03, CP-19). A world
   * of another mode is ended first: what it may touch is in its mounts (PRM-5).
   */
  async open(agent: Agent, mode: SandboxMode): Promise<World> {
    if (this.isClosed) throw new AppError("SANDBOX_LOST", "This worker has given the session back.");
    const worldId = await this.idFor(agent, mode);
    try {
      this.keep(await this.start(agent, worldId, mode));
      await update(agent, worldId, { state: "ready", readyAt: new Date(), problem: null });
      return this.world as World;
    } catch (error) {
      // a worker that no longer holds the session says nothing about the container, which is the next holder's
      if (this.isClosed || isAppError(error, "SANDBOX_FENCED")) throw error;
      await update(agent, worldId, { state: "failed", goneAt: new Date(), problem: error instanceof Error ? error.message : "unknown" });
      throw error;
    }
  }

  /** A world beside the session's, on the same files, for one call (ESC-2). One that is not ended is removed when its time runs out. */
  async openSibling({ orgId, sessionId, epoch }: Agent, mode: SandboxMode, signal?: AbortSignal): Promise<SiblingWorld> {
    if (this.isClosed) throw new AppError("SANDBOX_LOST", "This worker has given the session back.");
    const worldId = newId();
    const place = { orgId, sessionId, workspaceId: this.workspaceId, worldId };
    const world = await this.client.openWorld({ ...place, epoch, mode, ...(signal ? { signal } : {}) });
    const end = async () => {
      world.detach();
      await this.client.stopWorld(worldId);
    };
    return { world, end };
  }

  /** What runs in the container goes on: without the connection nothing can be cancelled any more. */
  close(): void {
    this.isClosed = true;
    this.world?.detach();
  }

  private async idFor(agent: Agent, mode: SandboxMode): Promise<string> {
    const worldId = await currentWorld(agent, this.workspaceId);
    const running = (await this.client.listWorlds()).find((world) => world.worldId === worldId && world.state !== "gone");
    if (!running || running.mode === mode) return worldId;
    this.world?.detach();
    this.world = null;
    await this.client.stopWorld(worldId);
    await update(agent, worldId, { state: "gone", goneAt: new Date(), problem: null });
    return currentWorld(agent, this.workspaceId);
  }

  private start(agent: Agent, worldId: string, mode: SandboxMode): Promise<World> {
    const { orgId, sessionId, epoch } = agent;
    const onPhase = tellPhases(agent);
    const place = { orgId, sessionId, workspaceId: this.workspaceId, worldId };
    return this.client.openWorld({ ...place, epoch, mode, onPhase });
  }

  private keep(world: World): void {
    this.world = world;
    if (this.isClosed) world.detach();
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

type Change = { state: "ready" | "failed" | "gone"; problem: string | null; readyAt?: Date; goneAt?: Date };

async function update({ orgId }: Agent, id: string, data: Change): Promise<void> {
  await withOrg(orgId, (tx) => tx.sandbox.update({ where: { orgId_id: { orgId, id } }, data }));
}
