import type { SessionEvent } from "../events.ts";
import type { Snapshot, Units, Values } from "./unit.ts";

export type Change<U extends Units> = { readonly seq: number; readonly keys: readonly (keyof U)[] };

/** Units over one log, event by event. */
export type Projection<U extends Units> = {
  /** The keys whose value this event changed; null when it changed none: nothing to tell anybody (AG-027). Events read before are skipped. */
  apply(event: SessionEvent): Change<U> | null;
  snapshot(): Snapshot<U>;
  readonly asOfSeq: number;
};

type Held = { state: unknown; hasFailed: boolean };

/** Starts a reading before the first event. `seedLength`: how many events a fork copied; a unit of the session's own doings skips them. */
export function openProjection<U extends Units>(units: U, { seedLength = 0 }: { seedLength?: number } = {}): Projection<U> {
  const held = new Map<keyof U, Held>(Object.keys(units).map((key) => [key, { state: units[key]?.init, hasFailed: false }]));
  let asOfSeq = -1;

  /** A unit that throws is left where it stood and shows nothing; the others go on (PRJ-2). */
  const step = (key: keyof U, event: SessionEvent): boolean => {
    const [unit, own] = [units[key], held.get(key)];
    if (!unit || !own || own.hasFailed || (unit.ownOnly && event.seq < seedLength)) return false;
    try {
      const next = unit.apply(own.state, event);
      if (next === own.state) return false;
      own.state = next;
    } catch {
      own.hasFailed = true; // its value becomes null, which readers see
    }
    return true;
  };
  const view = (key: keyof U): unknown => {
    const own = held.get(key);
    return own && !own.hasFailed ? units[key]?.view(own.state) : null;
  };
  return {
    get asOfSeq() {
      return asOfSeq;
    },
    apply(event) {
      if (event.seq <= asOfSeq) return null;
      asOfSeq = event.seq;
      const keys = [...held.keys()].filter((key) => step(key, event));
      return keys.length > 0 ? { seq: event.seq, keys } : null;
    },
    snapshot: () => ({ asOfSeq, values: Object.fromEntries([...held.keys()].map((key) => [key, view(key)])) as Values<U> }),
  };
}

/** Reads a whole log, or the beginning of one. */
export function foldUnits<U extends Units>(units: U, events: Iterable<SessionEvent>, options: { seedLength?: number } = {}): Snapshot<U> {
  const projection = openProjection(units, options);
  for (const event of events) projection.apply(event);
  return projection.snapshot();
}
