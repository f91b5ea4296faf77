import type { MountRow } from "@gantry/compose";
import type { OrgId } from "@gantry/contracts";
import { type Context, closeRoot, createRoot, createScope, type KernelLogger, mount, type Root, type Scope } from "@gantry/kernel";
import type { Credentials } from "@gantry/llm";
import type { Agent, AgentOptions } from "../loop/agent.ts";
import { agentRequest } from "../loop/index.ts";
import { mountRows } from "./mount-rows.ts";
import type { Row } from "./rows.ts";

/** What an org's root is given: all bound to the org before a plugin sees it (M-2). */
export type OrgHost = {
  orgId: OrgId;
  logger: KernelLogger;
  credentials: Credentials;
  /** the rows of the org's composition, in force and without problems */
  rows: readonly MountRow[];
};

/** What the generations of an org's presets and its agents inherit; scopes are minted from here, not from the root (K-25). */
const presetHost = { name: "preset-host", inject: ["agents", "fs", "llm", "subprocess", "systemPrompt", "tools"] };

/** One kernel root per org (M-1): its host rows, one generation per mounted preset revision, its live agents. */
export class OrgRoot {
  private readonly root: Root;
  private readonly generations = new Map<string, Promise<Scope>>();
  private host: Context | null = null;

  private constructor(root: Root) {
    this.root = root;
  }

  /** @throws AppError INTERNAL naming the rows that did not start */
  static async build(host: OrgHost): Promise<OrgRoot> {
    const root = createRoot({ name: `org ${host.orgId}`, logger: host.logger });
    const built = new OrgRoot(root);
    try {
      mount(root.ctx, { name: "credentials", apply: (ctx: Context) => void ctx.provide("credentials", host.credentials) });
      const keep = (ctx: Context) => {
        built.host = ctx;
      };
      mount(root.ctx, { ...presetHost, apply: keep });
      await mountRows(root.ctx, host.rows, "The host composition");
      return built;
    } catch (error) {
      await closeRoot(root);
      throw error;
    }
  }

  /** Makes the live agent of a session on a preset revision; `key` identifies the revision. Concurrent first uses share one mount (G-6). */
  async createAgent(options: AgentOptions, preset: { key: string; rows: readonly Row[] }): Promise<Agent> {
    const generation = await this.generation(preset);
    const { ctx } = this;
    const agent = await ctx.agents.resume(agentRequest(options, generation.key));
    return agent as Agent;
  }

  async disposeAgent(agent: Agent): Promise<void> {
    await this.ctx.agents.dispose(agent.sessionId);
  }

  async close(): Promise<void> {
    await closeRoot(this.root);
  }

  private get ctx() {
    if (!this.host) throw new Error("the root's host plugin is not active");
    return this.host;
  }

  private generation({ key, rows }: { key: string; rows: readonly Row[] }): Promise<Scope> {
    const known = this.generations.get(key);
    if (known) return known;
    const mounting = this.mountGeneration(rows).catch((error: unknown) => {
      this.generations.delete(key);
      throw error;
    });
    this.generations.set(key, mounting);
    return mounting;
  }

  private async mountGeneration(rows: readonly Row[]): Promise<Scope> {
    const scope = createScope(this.ctx, {});
    try {
      await mountRows(scope.ctx, rows, "The preset");
      return scope;
    } catch (error) {
      await scope.dispose();
      throw error;
    }
  }
}
