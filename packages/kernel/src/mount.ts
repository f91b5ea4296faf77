import type { Context } from "./context.ts";
import { KernelError } from "./errors.ts";
import { assertPlugin, type MountArgs, type Plugin, startPlugin } from "./plugin.ts";
import { facade, fiberState, type RawContext, type RawFiber, raw, rootKey, untraced } from "./raw.ts";
import { assertAccepting } from "./repairs/fiber.ts";

export type HandleState = keyof typeof fiberState;

/** One running instance of a plugin. It is no promise: wait with `settled()` (K-6). Config is never changed in place (K-8). */
export interface Handle {
  readonly name: string;
  readonly state: HandleState;
  /** Waits until no transition is under way. A plugin that waits for a service has settled. @throws the error of a failed start */
  settled(): Promise<void>;
  /** Undoes everything the plugin registered, its children included. Every caller waits for the same end (K-7). */
  dispose(): Promise<void>;
  /** Labels of what it holds, for diagnostics. */
  effects(): string[];
}

/**
 * Mounts a plugin below `ctx`. The start is never synchronous (K-6); a failed start undoes what it registered and is tried again
 * when an injected provider changes (K-4). Another provider means another activation, after the end of the one before: there are
 * never two at once, and none sees two providers (K-3, K-5).
 * @throws ROOT_SEALED, INACTIVE_EFFECT, BAD_PLUGIN
 */
export function mount<P extends Plugin>(ctx: Context, plugin: P, ...[config, options]: MountArgs<P>): Handle {
  const parent = untraced(raw(ctx));
  assertAccepting(parent.fiber);
  assertPlugin(plugin);
  const fiber = startFiber(parent, {
    name: plugin.name || "anonymous",
    inject: [...new Set([...(plugin.inject ?? []), ...(options?.inject ?? [])])],
    // An arrow function: cordis would construct anything that has a prototype.
    apply: (own: RawContext) => startPlugin(plugin, facade(own), config),
  });
  if (options?.row !== undefined) parent[rootKey].rows.set(fiber, options.row);
  return new FiberHandle(fiber);
}

interface RawPlugin {
  readonly name: string;
  readonly inject?: readonly string[];
  apply(ctx: RawContext): void | Promise<void>;
}

/** Cordis answers with an object derived from the fiber, on which a state change would be lost (D4). */
export function startFiber(parent: RawContext, plugin: RawPlugin): RawFiber {
  return Object.getPrototypeOf(parent.plugin(plugin)) as RawFiber;
}

const fiberKey: unique symbol = Symbol("gantry.fiber");
const stateNames = Object.fromEntries(Object.entries(fiberState).map(([name, value]) => [value, name])) as Record<number, HandleState>;

export class FiberHandle implements Handle {
  readonly [fiberKey]: RawFiber;

  constructor(fiber: RawFiber) {
    this[fiberKey] = fiber;
  }
  get name(): string {
    return this[fiberKey].name;
  }
  get state(): HandleState {
    return stateNames[this[fiberKey].state] ?? "disposed";
  }
  async settled(): Promise<void> {
    const fiber = this[fiberKey];
    await transitionsOf(fiber);
    if (fiber.state === fiberState.failed) throw fiber._error;
  }
  async dispose(): Promise<void> {
    const fiber = this[fiberKey];
    // Only the first call gets the completion from cordis (D8); the transitions tell everyone.
    await Promise.all([fiber.dispose(), transitionsOf(fiber)]);
  }
  effects(): string[] {
    return this[fiberKey].getEffects().map((effect) => effect.label);
  }
}

/** @throws BAD_PLUGIN for a handle that this package did not make */
export function fiberOf(handle: Handle): RawFiber {
  if (handle instanceof FiberHandle) return handle[fiberKey];
  throw new KernelError("BAD_PLUGIN", "This is no handle of a mounted plugin.");
}

async function transitionsOf(fiber: RawFiber): Promise<void> {
  while (fiber.inertia !== undefined) await fiber.inertia;
}
