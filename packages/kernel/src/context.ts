import type { EventArgs, EventResult, Events, Listener, PlainEvent, ScopedEvent } from "./events.ts";
import type { PluginLogger } from "./logger.ts";

/** Undoes one step of an effect; what it returns is awaited and dropped. */
export type Undo = () => unknown;
/** Ends a registration early. Single-shot: a second call does nothing. */
export type Disposer = () => void | Promise<void>;
/** The disposer of an effect with asynchronous setup; awaiting it waits for the setup and rejects with its error. */
export type AsyncDisposer = Disposer & PromiseLike<Disposer>;

export interface ListenOptions {
  /** Outermost at the time of registration; a later prepend goes further out (K-28). */
  prepend?: boolean;
}

/** What every context can do, before any service is merged in. */
export interface ContextBase {
  readonly logger: PluginLogger;
  /**
   * Runs `body` at once and records its undo steps, which run in reverse order when the plugin unloads (K-12, K-14). Whatever registers something for a
   * plugin is one of these, so that no plugin undoes anything itself (K-13). @throws INACTIVE_EFFECT, ROOT_SEALED
   */
  effect(body: () => Undo | Iterable<Undo, unknown>, label: string): Disposer;
  effect(body: () => Promise<Undo> | AsyncIterable<Undo, unknown>, label: string): AsyncDisposer;
  /** Provides a service in the realm of this context; visible once the provider is active (K-19, K-20). @throws SERVICE_TAKEN */
  provide<K extends ServiceName>(name: K, value: Context[K]): Disposer;
  /** The only form for optional services: absent is `undefined`. Read again at each use (K-21). */
  get<K extends ServiceName>(name: K): Context[K] | undefined;
  /** A child context whose `name` resolves in a fresh realm, or in the realm that `label` denotes (K-22). */
  isolate(name: ServiceName, label?: symbol): Context;
  /** Listens while the plugin is active. Arguments arrive as they were sent. */
  on<K extends keyof Events>(name: K, listener: Listener<K>, options?: ListenOptions): Disposer;
  once<K extends keyof Events>(name: K, listener: Listener<K>, options?: ListenOptions): Disposer;
  /** Calls every listener in order of registration; what they throw or reject with is reported and contained. */
  emit<K extends PlainEvent>(name: K, ...args: EventArgs<K>): void;
  emit<K extends ScopedEvent>(carrier: ThisParameterType<Events[K]>, name: K, ...args: EventArgs<K>): void;
  /** Runs all listeners together. @throws AggregateError when any failed, after all have settled */
  parallel<K extends PlainEvent>(name: K, ...args: EventArgs<K>): Promise<void>;
  parallel<K extends ScopedEvent>(carrier: ThisParameterType<Events[K]>, name: K, ...args: EventArgs<K>): Promise<void>;
  /** One listener after the other, until one answers with something other than null, undefined or false. */
  serial<K extends PlainEvent>(name: K, ...args: EventArgs<K>): Promise<Awaited<EventResult<K>> | undefined>;
  serial<K extends ScopedEvent>(
    carrier: ThisParameterType<Events[K]>,
    name: K,
    ...args: EventArgs<K>
  ): Promise<Awaited<EventResult<K>> | undefined>;
  /** As `serial`, synchronous. */
  bail<K extends PlainEvent>(name: K, ...args: EventArgs<K>): EventResult<K> | undefined;
  bail<K extends ScopedEvent>(carrier: ThisParameterType<Events[K]>, name: K, ...args: EventArgs<K>): EventResult<K> | undefined;
  /**
   * Listeners wrap each other, outermost first; the last argument is the built-in behaviour. Each may call its `next` once (K-26, K-27).
   * @throws NEXT_CALLED_TWICE, and whatever a listener throws
   */
  waterfall<K extends PlainEvent>(name: K, ...args: EventArgs<K>): EventResult<K>;
  waterfall<K extends ScopedEvent>(carrier: ThisParameterType<Events[K]>, name: K, ...args: EventArgs<K>): EventResult<K>;
}

/**
 * The handle a plugin works through. Services are merged in by the packages that define them (K-33):
 * `declare module "@gantry/kernel" { interface Context { tools: ToolRegistry } }`.
 */
export interface Context extends ContextBase {}

export type ServiceName = Exclude<keyof Context & string, keyof ContextBase>;
