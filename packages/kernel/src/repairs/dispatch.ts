import { Context as CordisContext } from "@deepseek-ai/cordis";
import { KernelError } from "../errors.ts";
import { isCarrier, type RawContext, type RawHook, scopeTag } from "../raw.ts";
import { report } from "../report.ts";
import type { EventBus } from "../root-state.ts";

/** One dispatch: the listeners it reaches, fixed when it begins (K-29), and what they are called with. */
interface Dispatch {
  readonly name: string;
  readonly self: unknown;
  readonly args: unknown[];
  readonly hooks: readonly RawHook[];
}

type Filter = (ctx: RawContext) => boolean;

function begin(bus: EventBus, input: unknown[]): Dispatch {
  const self = typeof input[0] === "string" ? null : input[0];
  const [name, ...args] = (self === null ? input : input.slice(1)) as [string, ...unknown[]];
  const filter = filterOf(bus, self, name, args);
  const all = bus.hooks[name] ?? [];
  return { name, self, args, hooks: filter ? all.filter((hook) => hook.global || filter.call(self, hook.ctx)) : [...all] };
}

/** The carrier's filter, which only diagnostics of the kernel skip (K-30); for a scope-filtered event without a carrier, an error or, unchecked, the narrowest audience (C-7, C-11). */
function filterOf(bus: EventBus, self: unknown, name: string, args: unknown[]): Filter | undefined {
  const subjectOf = bus.scopedEvents.get(name);
  if (subjectOf !== undefined) {
    const carried = isCarrier(self);
    if (bus.checks) {
      if (!carried) throw new KernelError("SCOPE_CARRIER", `"${name}" is scope-filtered: dispatch it with scopeTarget(key).`);
      if (subjectOf !== null && subjectOf(...(args as never[])) !== self.key) {
        throw new KernelError("SCOPE_CARRIER", `"${name}" was dispatched for another scope than the one its arguments are about.`);
      }
    }
    if (!carried) return (listener) => listener[scopeTag] === undefined;
  }
  return (self as Record<symbol, Filter> | null)?.[CordisContext.filter];
}

/** Every listener runs, whatever the others do; errors and rejections are reported (D2). */
export function emit(bus: EventBus, input: unknown[]): void {
  const { hooks, self, args, name } = begin(bus, input);
  for (const hook of hooks) {
    if (hook.isSpent) continue;
    const fail = (error: unknown) => report(hook.ctx.fiber, { error, phase: "listener", label: name });
    try {
      const result = hook.callback.apply(self, args);
      if (result instanceof Promise) result.catch(fail);
    } catch (error) {
      fail(error);
    }
  }
}

export async function parallel(bus: EventBus, input: unknown[]): Promise<void> {
  const { hooks, self, args, name } = begin(bus, input);
  const results = await Promise.allSettled(hooks.map(async (hook) => (hook.isSpent ? undefined : hook.callback.apply(self, args))));
  const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} listeners of "${name}" failed`);
}

export async function serial(bus: EventBus, input: unknown[]): Promise<unknown> {
  const { hooks, self, args } = begin(bus, input);
  for (const hook of hooks) {
    if (hook.isSpent) continue;
    const result = await hook.callback.apply(self, args);
    if (isAnswer(result)) return result;
  }
  return undefined;
}

export function bail(bus: EventBus, input: unknown[]): unknown {
  const { hooks, self, args } = begin(bus, input);
  for (const hook of hooks) {
    if (hook.isSpent) continue;
    const result = hook.callback.apply(self, args);
    if (isAnswer(result)) return result;
  }
  return undefined;
}

/** Each listener gets a `next` of its own that works once (D1, K-27). */
export function waterfall(bus: EventBus, input: unknown[]): unknown {
  const { hooks, self, args, name } = begin(bus, input);
  const inner = args.pop() as (...args: unknown[]) => unknown;
  const run = (index: number): unknown => {
    const hook = hooks[index];
    if (!hook) return inner(...args);
    if (hook.isSpent) return run(index + 1);
    let called = false;
    const next = () => {
      if (called) throw new KernelError("NEXT_CALLED_TWICE", `<${hook.ctx.fiber.name}> called next() of "${name}" a second time.`);
      called = true;
      return run(index + 1);
    };
    return hook.callback.call(self, ...args, next);
  };
  return run(0);
}

const isAnswer = (value: unknown): boolean => value !== null && value !== undefined && value !== false;
