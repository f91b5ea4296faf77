import { type Context, Service } from "@gantry/kernel";
import type { Agent } from "../loop/agent.ts";
import type {} from "../token-meter/index.ts";
import type {} from "../tool-result-pruner/index.ts";
import { type Compacted, type CompactOptions, compact } from "./compact.ts";
import { type CompactionConfig, limitsFor } from "./config.ts";
import { CompactionError } from "./error.ts";

declare module "@gantry/kernel" {
  interface Context {
    compaction: Compaction;
  }
}

/** Service `compaction`: keeps a session's context within its model's window (specs/agent-core §7). One realm for each preset generation. */
export class Compaction extends Service {
  private readonly own: Context;
  private readonly config: CompactionConfig;
  private readonly unknownWindows: Set<string>;
  private readonly overflows: WeakMap<Agent, number>;

  constructor(ctx: Context, config: CompactionConfig) {
    super(ctx, "compaction");
    this.own = ctx;
    this.config = config;
    this.unknownWindows = new Set();
    this.overflows = new WeakMap();
  }

  /**
   * Shortens the history while it takes more than its part of the window: old results first, then a summary, and so often (CMP-2). Nothing
   * that fails here stops the turn.
   */
  async relieve(agent: Agent, signal: AbortSignal): Promise<void> {
    const route = agent.log.last("request/context")?.data;
    if (!route) return;
    const limits = route.contextWindow ? limitsFor(this.config, route, route.contextWindow) : null;
    if (!limits) return this.warnOfWindow(route);
    const isPressed = () => this.own.tokenMeter.measure(agent).estimatedTokens >= limits.thresholdTokens;
    if (!isPressed()) return;
    try {
      this.own.get("toolResultPruner")?.prune(agent);
      for (let left = this.config.compactionRetries + 1; left > 0 && isPressed(); left -= 1) {
        if (!(await compact(agent, this.options(signal, limits.retainTokens)))) return;
      }
    } catch (error) {
      this.warn(agent, error, "the context stays as long as it is");
    }
  }

  /**
   * Makes room after a request was refused as too long, keeping no tail (CMP-3). Answers whether another attempt is worth it: any replacement
   * landed, and this was not tried too often in a row.
   */
  async recoverOverflow(agent: Agent, signal: AbortSignal): Promise<boolean> {
    const tried = this.overflows.get(agent) ?? 0;
    if (tried >= this.config.maxOverflowRetries) return false;
    this.overflows.set(agent, tried + 1);
    const before = agent.log.surface.replaceGeneration;
    try {
      this.own.get("toolResultPruner")?.prune(agent);
      await compact(agent, this.options(signal, 0));
    } catch (error) {
      this.warn(agent, error, "a request that was too long could not be repaired by a summary");
    }
    return agent.log.surface.replaceGeneration > before;
  }

  /** An answer came, or the agent rests: the next overflow is a new one. */
  forgetOverflows(agent: Agent): void {
    this.overflows.delete(agent);
  }

  /**
   * Sums up all there is because a person asked for it, between turns (CMP-4). Null: nothing to gain.
   * @throws CompactionError, "busy" at once
   */
  async compactNow(agent: Agent, { commandId, signal }: { commandId: string; signal: AbortSignal }): Promise<Compacted | null> {
    if (!agent.isFree || agent.log.turn > 0 || agent.log.open.compactionId !== null)
      throw new CompactionError("busy", "The agent is at work. Stop it or wait, then compact.");
    return agent.runMaintenance(async (maintenance) => {
      agent.showActivity({ kind: "waiting-model", since: Date.now() });
      try {
        return await compact(agent, { ...this.options(AbortSignal.any([maintenance, signal]), 0), commandId });
      } finally {
        agent.showActivity({ kind: "idle", since: Date.now() });
      }
    });
  }

  private options(signal: AbortSignal, retainTokens: number): CompactOptions {
    return { llm: this.own.llm, config: this.config, retainTokens, signal };
  }

  private warnOfWindow({ provider, model }: { provider: string; model: string }): void {
    const route = JSON.stringify([provider, model]);
    if (this.unknownWindows.has(route)) return;
    this.unknownWindows.add(route);
    this.own.logger.warn({ provider, model }, "the context window of this model is unknown, so long sessions are not compacted in time");
  }

  private warn({ sessionId }: Agent, err: unknown, text: string): void {
    this.own.logger.warn({ sessionId, err }, text);
  }
}
