import { type Context, Service } from "@gantry/kernel";
import type { Agent } from "../loop/agent.ts";
import { tokensOf } from "../token-meter/context-fold.ts";
import { Config, type PrunerConfig } from "./config.ts";
import { isResult, prunedResult } from "./prune.ts";

declare module "@gantry/kernel" {
  interface Context {
    toolResultPruner: ToolResultPruner;
  }
}

/** Service `toolResultPruner`: cuts long results down to their beginning and end, for a compaction that needs room. */
class ToolResultPruner extends Service {
  private readonly config: PrunerConfig;

  constructor(ctx: Context, config: PrunerConfig) {
    super(ctx, "toolResultPruner");
    this.config = config;
  }

  /** Prunes every result that the model still sees, the newest too (PRN-1). Only inside an open turn; answers with how many. */
  prune(agent: Agent): number {
    if (agent.log.turn === 0) return 0;
    const long = agent.log.surface.nodes.filter(isResult).flatMap((node) => {
      const data = prunedResult(node, this.config);
      return data ? [{ node, data }] : [];
    });
    for (const { node, data } of long) {
      const range = { start: node.seq, end: node.seq };
      const record = { shadowedRange: range, shadowedSeqs: [node.seq], shadowedTokenCount: tokensOf(node) };
      agent.log.append({ type: "compaction/prune", data: record });
      agent.log.append({ type: "tool/result", surfaceOp: { op: "replace", ...range }, sourceEventSeqs: [node.seq], data });
    }
    return long.length;
  }
}

export { Config };
export const name = "tool-result-pruner";
export const inject: string[] = [];

export function apply(ctx: Context, config: PrunerConfig): void {
  new ToolResultPruner(ctx, config);
}
