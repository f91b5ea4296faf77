import { endsWithin } from "./deadline.ts";
import { KernelError } from "./errors.ts";
import { FiberHandle } from "./mount.ts";
import { quiesce } from "./quiesce.ts";
import { raw, rootKey } from "./raw.ts";
import type { Root } from "./root.ts";
import { type RootState, taintRoot } from "./root-state.ts";

/**
 * Closes a root for good: nothing mounts on it any more, what is mounted is disposed last first, what was registered on the root
 * itself is undone, and the root is sealed (D7, 13.5). The host has already stopped intake and disposed its agents. Calls share one end.
 * @param deadlineMs for each of the two steps
 * @throws FIBER_STUCK naming what would not rest; the root is sealed and tainted all the same
 */
export function closeRoot(root: Root, deadlineMs = 10_000): Promise<void> {
  const state = raw(root.ctx)[rootKey];
  state.closing ??= close(state, deadlineMs);
  return state.closing;
}

async function close(root: RootState, deadlineMs: number): Promise<void> {
  root.phase = "closing";
  const hostFibers = [...root.fibers].filter((fiber) => fiber.parent.fiber.uid === 0).reverse();
  const outcomes = await Promise.allSettled(hostFibers.map((fiber) => quiesce(new FiberHandle(fiber), deadlineMs)));
  const stuck = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [String(outcome.reason.message)] : []));
  if (!(await endsWithin(undoAll(root), deadlineMs))) stuck.push("an effect of the root itself did not end");
  root.phase = "sealed";
  if (stuck.length === 0) return;
  taintRoot(root, stuck.join(" "));
  throw new KernelError("FIBER_STUCK", `The root "${root.meta.name}" did not come to rest. ${stuck.join(" ")}`);
}

async function undoAll(root: RootState): Promise<void> {
  for (const undo of root.ctx.fiber._disposables.clear()) await undo();
}
