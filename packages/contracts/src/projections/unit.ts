import type { SessionEvent } from "../events.ts";

/**
 * A reading of the log that grows event by event (PRJ-1): pure, synchronous, whole-valued. `apply` answers with the same reference when
 * the event changes nothing; states are JSON and never changed in place.
 */
export type ProjectionUnit<V, S = V> = {
  readonly key: string;
  readonly init: S;
  apply(state: S, event: SessionEvent): S;
  view(state: S): V;
  /** reads a fork's own events only, not those copied from its source (SES-24) */
  readonly ownOnly?: true;
};

/** Keeps the types of a unit's state and view while it is written; readers see the view only. */
export function defineUnit<V, S>(unit: ProjectionUnit<V, S>): ProjectionUnit<V, S> {
  return unit;
}

/** Units by key. The state's type stays inside each unit. */
// biome-ignore lint/suspicious/noExplicitAny: a unit's state is its own affair, and any is the only type that all of them accept
export type Units = Readonly<Record<string, ProjectionUnit<any, any>>>;
/** What each unit shows; a unit that threw is null from then on. */
export type Values<U extends Units> = { readonly [K in keyof U]: ReturnType<U[K]["view"]> | null };
/** `asOfSeq`: position of the last event read, -1 before the first. */
export type Snapshot<U extends Units> = { readonly asOfSeq: number; readonly values: Values<U> };
