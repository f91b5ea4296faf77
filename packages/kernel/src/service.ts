import { Service as CordisService } from "@deepseek-ai/cordis";
import type { Context, ServiceName } from "./context.ts";

const Base = CordisService as unknown as abstract new (ctx: Context, name: string) => object;

/**
 * Base of a named capability: `super(ctx, name)` provides `this` (K-23). A method called through `callerCtx.name` sees the
 * caller's context as `this.ctx`, so that what it registers belongs to the caller.
 *
 * Use TypeScript `private`, never `#private`: views are proxies (K-24). Keep the constructor's `ctx` for long-lived work.
 * @throws SERVICE_TAKEN
 */
export abstract class Service extends Base {
  declare protected readonly ctx: Context;
  declare readonly name: string;

  constructor(ctx: Context, name: ServiceName) {
    super(ctx, name);
  }
}
