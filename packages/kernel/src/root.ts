import { Context as CordisContext } from "@deepseek-ai/cordis";
import type { Context } from "./context.ts";
import type { PluginLogger } from "./logger.ts";
import { fiberState, type RawContext, type RawFiber, rootKey, shadowKey } from "./raw.ts";
import { repairActivations } from "./repairs/activation.ts";
import { eventMethods, repairEvents } from "./repairs/events.ts";
import { repairFibers } from "./repairs/fiber.ts";
import { isolate, LabelledRealms } from "./repairs/isolate.ts";
import { repairProvide } from "./repairs/provide.ts";
import { repairReads } from "./repairs/read.ts";
import { pluginLogger } from "./report.ts";
import type { RootMeta, RootState } from "./root-state.ts";

repairFibers();
repairActivations();
repairEvents();
repairProvide();
repairReads();

/** A closed world of plugins, services and listeners; two roots share nothing. */
export interface Root {
  /** Mount the host's plugins on it. Never mint a scope from it (K-25). */
  readonly ctx: Context;
  readonly meta: RootMeta;
  readonly phase: RootState["phase"];
  /** Why the root would not come to rest, or null (13.5). */
  readonly taint: string | null;
  /** Contained errors by code (F-1). */
  readonly errorCounts: ReadonlyMap<string, number>;
}

export function createRoot(meta: RootMeta): Root {
  const ctx = new CordisContext() as unknown as RawContext;
  const state: RootState = {
    meta,
    ctx,
    phase: "open",
    taint: null,
    fibers: new Set(),
    rows: new WeakMap(),
    bus: { hooks: Object.assign(Object.create(null), ctx.events._hooks), scopedEvents: new Map(), checks: meta.checks !== false },
    serviceWatchers: new Set(),
    servicesProvided: 0,
    labelledRealms: new LabelledRealms(),
    whenActive: new Map(),
    errorCounts: new Map(),
  };
  ctx.logger.exporters?.clear();
  ctx.events._hooks = state.bus.hooks;
  for (const [name, value] of Object.entries(eventMethods)) Object.defineProperty(ctx, name, { value });
  Object.defineProperties(ctx, {
    [rootKey]: { value: state },
    isolate: { value: isolate },
    logger: { get: ownLogger },
    get: {
      value(this: RawContext, name: string) {
        return this.reflect.get(name);
      },
    },
    effect: {
      value(this: RawContext, body: () => unknown, label: string) {
        return this.fiber.effect(body, label);
      },
    },
  });
  trackFibers(state);
  return state as unknown as Root;
}

/** Seen through a service's method, the line is the service's. */
function ownLogger(this: RawContext): PluginLogger {
  return pluginLogger((this[shadowKey] ?? this).fiber);
}

/** Knows every fiber until its final rest, however it was mounted. */
function trackFibers({ ctx, fibers, whenActive }: RootState): void {
  const watch = (name: string, callback: (fiber: RawFiber) => void) => {
    (ctx as unknown as { on(name: string, callback: (fiber: RawFiber) => void): void }).on(name, callback);
  };
  watch("internal/plugin", (fiber) => {
    if (fiber.uid !== null) fibers.add(fiber);
  });
  watch("internal/status", (fiber) => {
    if (fiber.state === fiberState.disposed) fibers.delete(fiber);
    const due = whenActive.get(fiber);
    whenActive.delete(fiber);
    if (fiber.state === fiberState.active) for (const act of due ?? []) act();
  });
}
