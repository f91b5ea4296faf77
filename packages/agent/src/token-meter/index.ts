import type { SessionEvent } from "@gantry/contracts";
import { type Context, Service } from "@gantry/kernel";
import { ContextFold, type ContextSize } from "./context-fold.ts";

declare module "@gantry/kernel" {
  interface Context {
    tokenMeter: TokenMeter;
  }
}

/** Whose log is measured: a live agent. */
export type Measured = object & { history(): readonly SessionEvent[] };

/** Kernel service `tokenMeter`: how full the context of a live session is, at the cost of what came since the last look (TOK-1, TOK-2). */
export class TokenMeter extends Service {
  private readonly folds: WeakMap<object, ContextFold>;

  constructor(ctx: Context) {
    super(ctx, "tokenMeter");
    this.folds = new WeakMap();
  }

  measure(agent: Measured): ContextSize {
    const fold = this.folds.get(agent) ?? new ContextFold();
    this.folds.set(agent, fold);
    return fold.follow(agent.history());
  }
}

export const name = "token-meter";
export const inject: string[] = [];

export function apply(ctx: Context): void {
  new TokenMeter(ctx);
}
