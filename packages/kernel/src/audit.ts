import { endsWithin } from "./deadline.ts";
import { KernelError } from "./errors.ts";
import { fiberOf, type Handle } from "./mount.ts";
import { ancestorsOf, fiberState, type RawFiber, rootKey } from "./raw.ts";
import { describeThrown } from "./thrown.ts";

/** What became of a set of mounted plugins: without it, one that failed or waits would be silent (D9, K-11). */
export interface Audit {
  /** No plugin failed and none is pending: the composition is usable. */
  readonly usable: boolean;
  readonly active: readonly Handle[];
  readonly failed: readonly { readonly handle: Handle; readonly error: unknown }[];
  /** Plugins that wait, with the names of the services that are missing; cycles show up here (K-9). */
  readonly pending: readonly { readonly handle: Handle; readonly missing: readonly string[] }[];
}

/**
 * Waits until the plugins and everything below them have settled, then classifies each. A start that does not end within
 * `deadlineMs` counts as failed with FIBER_STUCK. Never throws for a plugin's failure.
 */
export async function audit(handles: readonly Handle[], deadlineMs = 10_000): Promise<Audit> {
  const fibers = handles.map(fiberOf);
  await endsWithin(settleAll(fibers), deadlineMs);
  const active: Handle[] = [];
  const failed: { handle: Handle; error: unknown }[] = [];
  const pending: { handle: Handle; missing: string[] }[] = [];
  for (const handle of handles) {
    const fiber = fiberOf(handle);
    if (fiber.state === fiberState.active) active.push(handle);
    else if (fiber.state === fiberState.pending) pending.push({ handle, missing: missingServices(fiber) });
    else failed.push({ handle, error: failureOf(fiber, handle, deadlineMs) });
  }
  return { usable: failed.length === 0 && pending.length === 0, active, failed, pending };
}

/** One line a problem, all of them (F-3). */
export function describeAudit({ failed, pending }: Audit): string[] {
  return [
    ...failed.map(({ handle, error }) => `${handle.name}: ${describeThrown(error)}`),
    ...pending.map(({ handle, missing }) => `${handle.name}: ${describeWait(missing)}`),
  ];
}

/** What a plugin that did not start is short of, for people (F-3). */
export const describeWait = (missing: readonly string[]): string => `waiting for ${missing.join(", ")}`;

/** A plugin below a row may still be about to provide what another row waits for, so the whole subtree counts. */
async function settleAll(fibers: readonly RawFiber[]): Promise<void> {
  for (;;) {
    const busy = subtree(fibers).filter((fiber) => fiber.inertia !== undefined);
    if (busy.length === 0) return;
    await Promise.all(busy.map((fiber) => fiber.inertia));
  }
}

function subtree(fibers: readonly RawFiber[]): RawFiber[] {
  const tops = new Set(fibers);
  const roots = new Set(fibers.map((fiber) => fiber.ctx[rootKey]));
  return [...roots].flatMap((root) => [...root.fibers].filter((fiber) => ancestorsOf(fiber).some((at) => tops.has(at))));
}

function missingServices(fiber: RawFiber): string[] {
  return Object.keys(fiber.inject).filter((name) => fiber.ctx.reflect.get(name) === undefined);
}

function failureOf(fiber: RawFiber, handle: Handle, deadlineMs: number): unknown {
  if (fiber.state === fiberState.failed) return fiber._error;
  if (fiber.state === fiberState.disposed) return new KernelError("INACTIVE_EFFECT", `<${handle.name}> was disposed.`);
  return new KernelError("FIBER_STUCK", `<${handle.name}> is still ${handle.state} after ${deadlineMs} ms.`);
}
