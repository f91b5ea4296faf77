import type { symbols } from "@deepseek-ai/cordis";
import type { Context } from "./context.ts";
import type { Scoped } from "./events.ts";
import type { RootState } from "./root-state.ts";

/** The shapes of cordis that the facade relies on, private ones included: the list to check when the pin moves. */

/** Values of cordis' const enum `FiberState`, which isolated modules cannot import. */
export const fiberState = { pending: 0, loading: 1, active: 2, failed: 3, disposed: 4, unloading: 5 } as const;

export interface RawFiber {
  /** 0 for the root, null once disposed. */
  readonly uid: number | null;
  readonly name: string;
  readonly state: number;
  /** The transition under way, if any. It never rejects. */
  readonly inertia: Promise<void> | undefined;
  readonly inject: Readonly<Record<string, unknown>>;
  /** The services that the current activation started with. */
  readonly store: Readonly<Record<string, RawImpl>> | undefined;
  readonly ctx: RawContext;
  readonly parent: RawContext;
  readonly _error: unknown;
  readonly _disposables: { clear(): (() => unknown)[] };
  dispose(): Promise<void> | undefined;
  effect(body: () => unknown, label?: string): (() => void | Promise<void>) & PromiseLike<() => void | Promise<void>>;
  getEffects(): EffectNode[];
}

export interface EffectNode {
  readonly label: string;
  readonly children: readonly EffectNode[];
}

export interface RawHook {
  readonly ctx: RawContext;
  readonly callback: (this: unknown, ...args: unknown[]) => unknown;
  readonly global?: boolean;
  /** Of a listener for one time: it was called. A dispatch that began before passes it over. */
  isSpent?: boolean;
}

/** A provided service. */
export interface RawImpl {
  readonly name: string;
  readonly fiber: RawFiber;
  readonly value: unknown;
  readonly check: (() => boolean) | undefined;
  readonly realm: symbol;
  /** tells it apart from every other one of the root, also of the same plugin and name */
  readonly serial: number;
}

export interface RawContext {
  readonly fiber: RawFiber;
  readonly events: { _hooks: Record<string, RawHook[]> };
  readonly reflect: { readonly store: Readonly<Record<symbol, RawImpl>>; get(name: string): unknown };
  readonly logger: { error(reason: unknown): void; exporters?: Map<number, unknown> };
  extend(meta: object): RawContext;
  plugin(plugin: object): object;
  readonly [symbols.isolate]: Readonly<Record<string, symbol>>;
  readonly [shadowKey]?: RawContext;
  readonly [rootKey]: RootState;
  readonly [scopeTag]?: object;
}

/** Cordis' mark of a context as a service method sees it: the service's own context behind the caller's. */
export const shadowKey: unique symbol = Symbol.for("cordis.shadow");
/** Set on a root's context and inherited by every context below it. */
export const rootKey: unique symbol = Symbol("gantry.root");
/** The scope that a context belongs to (C-1). */
export const scopeTag: unique symbol = Symbol("gantry.scope");
/** Marks what `scopeTarget` made. */
export const carrier: unique symbol = Symbol("gantry.carrier");

export const raw = (ctx: Context): RawContext => ctx as unknown as RawContext;
export const facade = (ctx: RawContext): Context => ctx as unknown as Context;
export const isCarrier = (value: unknown): value is Scoped => typeof value === "object" && value !== null && carrier in value;

/** The caller's own context behind the view that a service method sees (K-23): a subtree built on the view would resolve through the service's plugin. */
export function untraced(ctx: RawContext): RawContext {
  return Object.hasOwn(ctx, shadowKey) ? (Object.getPrototypeOf(ctx) as RawContext) : ctx;
}

/** The fiber and those above it, nearest first, the root's own left out. */
export function ancestorsOf(fiber: RawFiber): RawFiber[] {
  const line: RawFiber[] = [];
  for (let at = fiber; at.uid !== 0; at = at.parent.fiber) line.push(at);
  return line;
}

const adoptable = new WeakMap<object, unknown>();

/** Lets an effect that yields `dispose` take over the fiber behind it, and so decide when in its order it goes. */
export function allowAdoption(dispose: () => Promise<void>, fiber: RawFiber): void {
  adoptable.set(dispose, fiber.dispose);
}
export const adopted = (undo: object): unknown => adoptable.get(undo);
