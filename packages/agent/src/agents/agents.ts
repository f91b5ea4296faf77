import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, callerOf, type Disposer, declareScopedEvent, KernelError, Service } from "@gantry/kernel";
import type { AgentFactory, AgentRequest, LiveAgent } from "./agent.ts";
import { AgentLife } from "./agent-life.ts";

/** The live agents of a root, and the slot for the one plugin that knows how to build them (A-1, AGT-1). */
export class Agents extends Service {
  private slot: { readonly factory: AgentFactory; readonly loop: Context } | undefined;
  /** By session id, those in the making included. */
  private readonly lives = new Map<string, AgentLife>();
  private readonly initiators = new AsyncLocalStorage<LiveAgent>();

  constructor(ctx: Context) {
    super(ctx, "agents");
    declareScopedEvent(ctx, "agents/created", (agent) => agent);
    declareScopedEvent(ctx, "agents/disposed", (agent) => agent);
  }

  /** Fills the slot until the calling plugin unloads; its agents go with it (AGT-1). @throws AGENT_FACTORY_TAKEN */
  setFactory(factory: AgentFactory): Disposer {
    const loop = callerOf(this.ctx);
    return loop.effect(() => {
      if (this.slot) throw new KernelError("AGENT_FACTORY_TAKEN", "an agent factory is already registered");
      this.slot = { factory, loop };
      return () => {
        this.slot = undefined;
      };
    }, "agents.setFactory()");
  }

  /**
   * Creates the agent of a session, whole or not at all. It belongs to the calling plugin and dies with it or with the loop
   * plugin, whichever goes first.
   * @throws NO_AGENT_FACTORY, NAME_TAKEN, AGENT_MISMATCH, AGENT_OWNER_GONE, and what the factory, setup, commit, listeners or start throw
   */
  create(request: AgentRequest): Promise<LiveAgent> {
    return this.bring("create", request);
  }

  /** As `create`, for a session that already has a log. */
  resume(request: AgentRequest): Promise<LiveAgent> {
    return this.bring("resume", request);
  }

  /** Agents that are announced and not yet disposed. */
  list(): LiveAgent[] {
    return [...this.lives.values()].filter((life) => life.isLive).map((life) => life.agent);
  }

  find(sessionId: string): LiveAgent | null {
    const life = this.lives.get(sessionId);
    return life?.isLive ? life.agent : null;
  }

  /** Stops an agent and undoes everything it registered; without one, nothing. Callers share one end. */
  async dispose(sessionId: string): Promise<void> {
    await this.lives.get(sessionId)?.dispose();
  }

  /** Runs `work` as initiated by an agent, for attribution only: never a permission. */
  initiatedBy<T>(agent: LiveAgent, work: () => T): T {
    return this.initiators.run(agent, work);
  }

  initiator(): LiveAgent | undefined {
    return this.initiators.getStore();
  }

  private async bring(how: "create" | "resume", request: AgentRequest): Promise<LiveAgent> {
    const owner = callerOf(this.ctx);
    if (!this.slot) throw new KernelError("NO_AGENT_FACTORY", "no agent factory registered (load an agent-loop plugin)");
    const { factory, loop } = this.slot;
    const agent = await factory[how](request, owner);
    if (agent.sessionId !== request.sessionId) {
      throw new KernelError("AGENT_MISMATCH", "The loop built an agent for another session than the one asked for.");
    }
    if (this.lives.has(request.sessionId)) throw new KernelError("NAME_TAKEN", "The session has a live agent already.");
    const life = new AgentLife(agent, loop, () => this.lives.delete(request.sessionId));
    this.lives.set(request.sessionId, life);
    await life.begin(owner, request);
    return agent;
  }
}
