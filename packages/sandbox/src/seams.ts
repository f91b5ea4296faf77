import { type Context, Service } from "@gantry/kernel";
import type { SandboxFs, SandboxMode, SandboxProc, World } from "./types.ts";

declare module "@gantry/kernel" {
  interface Context {
    fs: FsSeam;
    subprocess: SubprocessSeam;
  }
}

/** Whoever works in a world: the seams ask for the world when an operation needs it, so it may start late. */
export interface WorldOwner {
  readonly orgId: string;
  readonly sessionId: string;
  /** The running world, started when needed. @throws AppError SANDBOX_START, ENGINE_DOWN */
  world(signal?: AbortSignal): Promise<World>;
  sandboxMode(): SandboxMode;
}

/** The file seam: the name and the types (S-1). Providers extend it, tools inject the name and know no provider (S-2, S-3). */
export abstract class FsSeam extends Service {
  constructor(ctx: Context) {
    super(ctx, "fs");
  }
  abstract for(owner: WorldOwner): SandboxFs;
}

/** The process seam. */
export abstract class SubprocessSeam extends Service {
  constructor(ctx: Context) {
    super(ctx, "subprocess");
  }
  abstract for(owner: WorldOwner): SandboxProc;
}

export { FsError, type FsErrorCode, RunUnknownError, SpawnError } from "./errors.ts";
export type * from "./types.ts";
