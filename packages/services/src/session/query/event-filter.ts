import {
  compareInstants,
  type EventFilter,
  firstMs,
  type Instant,
  lastMs,
  parseInstant,
  queryError,
  searchedTypes,
} from "@gantry/contracts";

/** Bounds in whole milliseconds, both inclusive; null: open. */
export type TimeBounds = { readonly from: number | null; readonly to: number | null };

/** A filter as statements take it; null: everything. */
export type EventBounds = {
  readonly seqFrom: number | null;
  readonly seqTo: number | null;
  readonly time: TimeBounds;
  /** kinds of search text that the wanted types have */
  readonly kinds: readonly string[] | null;
  readonly isShadowed: boolean | null;
  /** nothing that is searched can match: only log-only events, say */
  readonly isEmpty: boolean;
};

const largestSeq = 2 ** 31 - 1;

/** @throws INVALID_FILTER for moments without an offset and for bounds the wrong way round, by less than a millisecond too (AG-242) */
export function timeBounds(from: string | undefined, to: string | undefined): TimeBounds {
  const [first, last] = [instant(from), instant(to)];
  if (first && last && compareInstants(first, last) > 0) throw reversed("time");
  return { from: first && firstMs(first), to: last && lastMs(last) };
}

/** @throws INVALID_FILTER */
export function eventBounds({ seqFrom, seqTo, timeFrom, timeTo, types = [], surfaces = [] }: EventFilter = {}): EventBounds {
  for (const seq of [seqFrom, seqTo])
    if (seq !== undefined && (!Number.isInteger(seq) || seq < 0 || seq > largestSeq))
      throw queryError("INVALID_FILTER", "A position is a whole number from 0 on.");
  if (seqFrom !== undefined && seqTo !== undefined && seqFrom > seqTo) throw reversed("position");
  const kinds = Object.entries(searchedTypes).flatMap(([kind, type]) => (types.includes(type) ? [kind] : []));
  const [current, shadowed] = [surfaces.includes("current"), surfaces.includes("shadowed")];
  return {
    seqFrom: seqFrom ?? null,
    seqTo: seqTo ?? null,
    time: timeBounds(timeFrom, timeTo),
    kinds: types.length > 0 ? kinds : null,
    isShadowed: current === shadowed ? null : shadowed,
    isEmpty: (types.length > 0 && kinds.length === 0) || (surfaces.length > 0 && !current && !shadowed),
  };
}

function instant(text: string | undefined): Instant | null {
  if (text === undefined) return null;
  const parsed = parseInstant(text);
  if (!parsed) throw queryError("INVALID_FILTER", "A time is an ISO date and time with Z or an offset, as in 2026-03-01T08:00:00Z.");
  return parsed;
}

const reversed = (what: string) => queryError("INVALID_FILTER", `The first ${what} lies after the last one. Swap the two.`);
