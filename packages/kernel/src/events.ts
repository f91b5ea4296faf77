import type { carrier } from "./raw.ts";

/**
 * The event catalogue, filled by declaration merging like `Context`. Each entry is the listener's type; write its mode beside it (K-31).
 * A waterfall event takes `next` last. A scope-filtered event declares `this: Scoped<T>` (K-34).
 */
// biome-ignore lint/suspicious/noEmptyInterface: other packages merge their events into it
export interface Events {}

/** The carrier of a scope-filtered dispatch, made by `scopeTarget`; listeners see it as `this`. */
export interface Scoped<T extends object = object> {
  readonly [carrier]: true;
  /** The scope the event is about; absent when it concerns none (C-7). */
  readonly key: T | undefined;
}

export type Listener<K extends keyof Events> = Events[K];
export type EventArgs<K extends keyof Events> = Events[K] extends (...args: infer A) => unknown ? A : never;
export type EventResult<K extends keyof Events> = Events[K] extends (...args: never) => infer R ? R : never;

/** Events that reach every listener, whatever its scope. */
export type PlainEvent = { [K in keyof Events]: unknown extends ThisParameterType<Events[K]> ? K : never }[keyof Events];
/** Events that need a carrier as their first argument. */
export type ScopedEvent = Exclude<keyof Events, PlainEvent>;
