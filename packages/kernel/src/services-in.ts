import { symbols } from "@deepseek-ai/cordis";
import type { Context, Disposer, ServiceName } from "./context.ts";
import { fiberOf, type Handle } from "./mount.ts";
import { ancestorsOf, fiberState, type RawFiber, type RawImpl, raw, rootKey } from "./raw.ts";
import { report } from "./report.ts";

/** A service at the moment a plugin provided it. */
export interface ProvidedService {
  readonly name: string;
  /** The plugin that provides it. */
  readonly provider: string;
  /** The row that it, or the plugin above it, was mounted for. */
  readonly row: string | undefined;
  /** Provided in a realm of its own, so that nothing outside the realm sees it (K-22); false in the root's realm. */
  readonly isPrivate: boolean;
}

/**
 * Tells of each service that the mounted plugin, or a plugin below it, provides from now on, in whatever realm. Undone with the
 * plugin behind `ctx`. The listener runs while the provider registers; what it throws is reported and contained.
 */
export function onServiceProvided(ctx: Context, below: Handle, listener: (service: ProvidedService) => void): Disposer {
  const top = fiberOf(below);
  const root = raw(ctx)[rootKey];
  const rootRealms = root.ctx[symbols.isolate];
  return ctx.effect(() => {
    const watch = ({ name, fiber }: RawImpl, realm: symbol): void => {
      const line = ancestorsOf(fiber);
      if (!line.includes(top)) return;
      try {
        const row = line.map((at) => root.rows.get(at)).find((id) => id !== undefined);
        listener({ name, provider: fiber.name, row, isPrivate: rootRealms[name] !== realm });
      } catch (error) {
        report(fiber, { error, phase: "listener", label: `provide ${name}` });
      }
    };
    root.serviceWatchers.add(watch);
    return () => root.serviceWatchers.delete(watch);
  }, "onServiceProvided()");
}

/** The service that the mounted plugin, or a plugin below it, provides under the name, whatever its realm; the first of several (G-22). */
export function serviceIn<K extends ServiceName>(handle: Handle, name: K): Context[K] | undefined {
  const top = fiberOf(handle);
  const { store } = top.ctx.reflect;
  const isBelow = (fiber: RawFiber) => fiber.state === fiberState.active && ancestorsOf(fiber).includes(top);
  for (const realm of Object.getOwnPropertySymbols(store)) {
    const impl = store[realm];
    if (impl?.name === name && isBelow(impl.fiber)) return impl.value as Context[K];
  }
  return undefined;
}
