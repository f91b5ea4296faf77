import { EventsService } from "@deepseek-ai/cordis";
import type { ListenOptions } from "../context.ts";
import { KernelError } from "../errors.ts";
import { type RawContext, type RawHook, rootKey } from "../raw.ts";
import type { EventBus } from "../root-state.ts";
import { bail, emit, parallel, serial, waterfall } from "./dispatch.ts";

type Callback = RawHook["callback"];

/** Routes cordis' own dispatches through ours, for the whole process. */
export function repairEvents(): void {
  const read = (bus: EventBus, input: unknown[]) => (input[0] === "internal/get" ? refuseRead(input) : waterfall(bus, input));
  for (const [mode, run] of Object.entries({ emit, parallel, serial, bail, waterfall: read })) {
    Object.defineProperty(EventsService.prototype, mode, {
      value(this: RawEvents, ...input: unknown[]) {
        return run(busOf(this), input);
      },
    });
  }
}

interface RawEvents {
  readonly ctx: RawContext;
  readonly _hooks: Record<string, RawHook[]>;
}

/** While cordis builds a root, its bus is already in use and ours does not exist yet. */
const busOf = ({ ctx, _hooks }: RawEvents): EventBus => ctx[rootKey]?.bus ?? { hooks: _hooks, scopedEvents: new Map(), checks: false };

/** Event methods of a context. Found on the root itself, they skip cordis' accessor lookup, which builds an Error at each read. */
export const eventMethods = {
  on(this: RawContext, name: string, callback: Callback, options: ListenOptions = {}) {
    return listen(this, name, callback, options);
  },
  once(this: RawContext, name: string, callback: Callback, options: ListenOptions = {}) {
    return listen(this, name, callback, { ...options, once: true });
  },
  emit(this: RawContext, ...input: unknown[]) {
    emit(this[rootKey].bus, input);
  },
  parallel(this: RawContext, ...input: unknown[]) {
    return parallel(this[rootKey].bus, input);
  },
  serial(this: RawContext, ...input: unknown[]) {
    return serial(this[rootKey].bus, input);
  },
  bail(this: RawContext, ...input: unknown[]) {
    return bail(this[rootKey].bus, input);
  },
  waterfall(this: RawContext, ...input: unknown[]) {
    return waterfall(this[rootKey].bus, input);
  },
};

function listen(ctx: RawContext, name: string, callback: Callback, options: ListenOptions & { global?: boolean; once?: boolean }) {
  const stop = ctx.fiber.effect(
    () => {
      const { hooks } = ctx[rootKey].bus;
      const call: Callback = function (...args) {
        hook.isSpent = true;
        void stop();
        return callback.apply(this, args);
      };
      const hook: RawHook = { ctx, callback: options.once ? call : callback, global: options.global === true };
      hooks[name] ??= [];
      const listeners = hooks[name];
      if (options.prepend) listeners.unshift(hook);
      else listeners.push(hook);
      return () => {
        listeners.splice(listeners.indexOf(hook), 1);
        if (listeners.length === 0 && hooks[name] === listeners) delete hooks[name];
      };
    },
    `ctx.on(${JSON.stringify(name)})`,
  );
  return stop;
}

/** Reading `ctx.<service>` where nobody holds it: the error of cordis has no code, and ours says what to do (K-21). */
function refuseRead(input: unknown[]): never {
  const [, ctx, name] = input as [string, RawContext, string];
  const why = name in ctx.fiber.inject ? "is injected, but not available while the plugin is inactive" : "was not injected";
  throw new KernelError(
    "NOT_INJECTED",
    `"${name}" ${why} in <${ctx.fiber.name}>. Name it in the plugin's inject, or read it with ctx.get.`,
  );
}
