import { FiberHandle, type HandleState } from "./mount.ts";
import { type EffectNode, raw, rootKey } from "./raw.ts";
import type { Root } from "./root.ts";

/** What stands in a root right now, for a diagnostics page (F-4). Plain data. */
export interface RootView {
  readonly plugins: readonly {
    name: string;
    row: string | undefined;
    state: HandleState;
    inject: string[];
    effects: readonly EffectNode[];
  }[];
  /** One entry a realm; several of one name are isolated from each other. */
  readonly services: readonly { name: string; provider: string }[];
  readonly listeners: Readonly<Record<string, readonly string[]>>;
}

export function inspectRoot(root: Root): RootView {
  const { ctx, fibers, rows, bus } = raw(root.ctx)[rootKey];
  const plugins = [...fibers].map((fiber) => ({
    name: fiber.name,
    row: rows.get(fiber),
    state: new FiberHandle(fiber).state,
    inject: Object.keys(fiber.inject),
    effects: fiber.getEffects(),
  }));
  const { store } = ctx.reflect;
  const services = Object.getOwnPropertySymbols(store).flatMap((realm) => {
    const impl = store[realm];
    return impl ? [{ name: impl.name, provider: impl.fiber.name }] : [];
  });
  const own = Object.entries(bus.hooks).filter(([name]) => !name.startsWith("internal/"));
  const listeners = Object.fromEntries(own.map(([name, hooks]) => [name, hooks.map((hook) => hook.ctx.fiber.name)]));
  return { plugins, services, listeners };
}
