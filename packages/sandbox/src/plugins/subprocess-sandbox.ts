import type { Context } from "@gantry/kernel";
import { SubprocessSeam, type WorldOwner } from "../seams.ts";
import type { SandboxProc } from "../types.ts";

/** Kernel service `subprocess` over the owner's world, asked for at each run. */
class SubprocessSandbox extends SubprocessSeam {
  for(owner: WorldOwner): SandboxProc {
    return { run: async (options) => (await owner.world(options.signal)).proc.run(options) };
  }
}

export const name = "subprocess-sandbox";
export function apply(ctx: Context): void {
  new SubprocessSandbox(ctx);
}
