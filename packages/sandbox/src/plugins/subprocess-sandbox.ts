import { isAppError } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import { SubprocessSeam, type WorldOwner } from "../seams.ts";
import type { RunOptions, RunResult, SandboxProc, World } from "../types.ts";

/** Kernel service `subprocess` over the owner's world, asked for at each run. */
class SubprocessSandbox extends SubprocessSeam {
  for(owner: WorldOwner): SandboxProc {
    return { run: (options) => run(owner, options) };
  }
}

/** A run with a key goes on without its connection, as when the broker is restarted: it is joined through the next one. */
async function run(owner: WorldOwner, options: RunOptions): Promise<RunResult> {
  const world = await owner.world(options.signal);
  try {
    return await world.proc.run(options);
  } catch (error) {
    if (options.key === undefined || !isAppError(error, "SANDBOX_LOST")) throw error;
    return await rejoin(owner, options, { from: world, error });
  }
}

/** @throws the error that the run was lost with, where it cannot be joined: its world has ended too, or is not this worker's any more */
async function rejoin(owner: WorldOwner, options: RunOptions, { from, error }: { from: World; error: Error }): Promise<RunResult> {
  try {
    const world = await owner.world(options.signal);
    if (world !== from && world.isResumed) return await world.proc.run({ ...options, join: true });
  } catch {
    // what it was lost with says more
  }
  throw error;
}

export const name = "subprocess-sandbox";
export function apply(ctx: Context): void {
  new SubprocessSandbox(ctx);
}
