import { AppError } from "@gantry/contracts";
import { type Context, closeRoot, createRoot, endsWithin, inspectRoot, type Root, type RootView, type ServiceName } from "@gantry/kernel";
import type { AgentRequest } from "../agents/index.ts";
import { catalog } from "../catalog.ts";
import { Agent, type AgentOptions } from "../loop/agent.ts";
import { agentRequest } from "../loop/index.ts";
import type { PresetHost } from "../presets/host.ts";
import type { PresetRef } from "../presets/preset-ref.ts";
import type { GenerationView } from "../presets/view.ts";
import { type RootLimits, rootLimits } from "./limits.ts";
import { mountHost, type OrgHost } from "./mount-host.ts";
import type { Plugins } from "./mount-rows.ts";

/** One kernel root per org and composition, for a plugin can see all of its root (M-1, D11): its host rows, one generation per mounted preset revision, its live agents. */
export class OrgRoot {
  private readonly root: Root;
  private readonly limits: RootLimits;
  private presets: PresetHost | null = null;
  /** session ids of the agents that live or are being made */
  private readonly agents = new Map<AgentRequest, string>();
  private closing: Promise<void> | undefined;

  private constructor(host: OrgHost) {
    const { orgId, logger, onTaint } = host;
    this.limits = { ...rootLimits, ...host.limits };
    this.root = createRoot({ name: `org ${orgId}`, logger, ...(onTaint ? { onTaint } : {}) });
  }

  /** @throws AppError INTERNAL naming every row that did not start, with its reason */
  static async build(host: OrgHost, plugins: Plugins = catalog): Promise<OrgRoot> {
    const built = new OrgRoot(host);
    try {
      await mountHost(built.root, host, {
        plugins,
        limits: built.limits,
        keep(presets) {
          built.presets = presets;
        },
      });
      return built;
    } catch (error) {
      // A root that does not rest is tainted, which the host is told; what did not start is what the caller has to know.
      await closeRoot(built.root, built.limits.restMs).catch(() => {});
      throw error;
    }
  }

  /**
   * Makes the live agent of a session on a preset revision, or in the generation that another agent is in (G-15). Concurrent first
   * uses of a revision share one mount (G-6). Whole or not at all.
   * @throws AppError PRESET_BROKEN with all reasons; UNAVAILABLE at a limit, while closing, or when a mount failed for a passing cause
   */
  async createAgent(options: AgentOptions, preset: PresetRef | Agent): Promise<Agent> {
    const { ctx, memberships } = this.assertOpen();
    if (this.agents.size >= this.limits.agents) {
      throw new AppError(
        "UNAVAILABLE",
        `${this.limits.agents} sessions are live at once, which is the limit. Try again when some have ended.`,
      );
    }
    const request = agentRequest(options, {
      join: (agentCtx, signal) =>
        preset instanceof Agent ? memberships.joinLike(agentCtx, preset, { signal }) : memberships.join(agentCtx, preset, { signal }),
      async leave(agent) {
        forget();
        await memberships.leave(agent);
      },
    });
    const forget = () => this.agents.delete(request);
    this.agents.set(request, options.sessionId);
    try {
      return (await ctx.agents.resume(request)) as Agent;
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Stops an agent and undoes what it registered; its generation goes too if it was the last of a retired one (G-16). */
  async disposeAgent(agent: Agent): Promise<void> {
    await this.presets?.ctx.agents.dispose(agent.sessionId);
  }

  /**
   * Moves an agent to another preset revision (G-20). Only while its log has no turn, unless `force`: that is for a session whose
   * revision is gone (G-19). A failure leaves the agent as it was. Appends nothing: the caller logs `agent-preset/selected` afterwards.
   * @throws AppError PRESET_LOCKED, and what `createAgent` throws
   */
  async switchPreset(agent: Agent, preset: PresetRef, { force = false }: { force?: boolean } = {}): Promise<void> {
    await this.assertOpen().memberships.switch(agent, preset, { assertAllowed: () => assertMovable(agent, force) });
  }

  /** A service that only the agent's own generation has; to read from, nothing else (G-22). */
  serviceFor<K extends ServiceName>(agent: Agent, name: K): Context[K] | undefined {
    return this.presets?.memberships.serviceFor(agent, name);
  }

  /** Lends the scope key of a revision's generation, for what reads without an agent (G-21). @throws as `createAgent` */
  async lendPreset<T>(preset: PresetRef, work: (key: object) => T | Promise<T>): Promise<T> {
    return this.assertOpen().memberships.lend(preset, work);
  }

  /** Retires every revision that is not kept: its agents finish, then it goes (G-17). Waits for those that go at once. */
  async retirePresets(keep: (presetId: string, revision: number) => boolean): Promise<void> {
    await this.presets?.pool.retire(keep);
  }

  /** Drops generations that nobody has used for the time, in milliseconds; they are mounted again on demand (G-18). */
  async evictIdle(idleMs: number = this.limits.generationIdleMs): Promise<void> {
    await this.presets?.pool.evictIdle(idleMs);
  }

  generations(): GenerationView[] {
    return this.presets?.pool.views() ?? [];
  }

  /** What stands in the root now, for a diagnostics page (F-4). Plain data. */
  inspect(): RootView & { generations: GenerationView[] } {
    return { ...inspectRoot(this.root), generations: this.generations() };
  }

  /** Agents that live or are being made. */
  get agentCount(): number {
    return this.agents.size;
  }

  /** Why the root would not come to rest, or null. */
  get taint(): string | null {
    return this.root.taint;
  }

  /**
   * Closes the root for good: no new agents, turns are cancelled and agents disposed, then generations, then the host's rows (13.5).
   * Each step has a deadline. Callers share one end.
   * @throws KernelError FIBER_STUCK when something would not rest; the root is sealed and tainted all the same
   */
  close(): Promise<void> {
    this.closing ??= this.closeInOrder();
    return this.closing;
  }

  private async closeInOrder(): Promise<void> {
    const { presets, limits } = this;
    if (presets) {
      const agents = [...new Set(this.agents.values())].map((sessionId) => presets.ctx.agents.dispose(sessionId));
      await endsWithin(Promise.allSettled(agents), limits.agentRestMs);
      await presets.pool.close();
    }
    await closeRoot(this.root, limits.restMs);
  }

  private assertOpen(): PresetHost {
    if (this.closing || !this.presets)
      throw new AppError("UNAVAILABLE", "The organisation's sessions are being moved. Try again in a moment.");
    return this.presets;
  }
}

function assertMovable(agent: Agent, force: boolean): void {
  if (agent.status === "running") throw locked("A turn is running, so the session keeps its preset. Stop it first.");
  const hasProduced = agent.log.events.some(({ type }) => type === "turn/start");
  if (hasProduced && !force) throw locked("The session has begun, so its preset stays. Start a new session for another preset.");
}

const locked = (message: string): AppError => new AppError("PRESET_LOCKED", message);
