import { endsWithin } from "./deadline.ts";
import { KernelError } from "./errors.ts";
import { fiberOf, type Handle } from "./mount.ts";
import { rootKey } from "./raw.ts";
import { taintRoot } from "./root-state.ts";

/**
 * Disposes a plugin and waits for real rest, also when another caller began the disposal (K-18).
 * @param deadlineMs after which the root counts as tainted
 * @throws FIBER_STUCK
 */
export async function quiesce(handle: Handle, deadlineMs: number): Promise<void> {
  const { name } = handle;
  if (await endsWithin(handle.dispose(), deadlineMs)) return;
  const reason = `<${name}> did not come to rest within ${deadlineMs} ms`;
  taintRoot(fiberOf(handle).ctx[rootKey], reason);
  throw new KernelError("FIBER_STUCK", `${reason}. Its effects: ${handle.effects().join(", ") || "none listed"}. Replace the worker.`);
}
