import { type SessionEvent, type SurfaceOp, surfaceTypes } from "../events.ts";

/** Where an event stands for the model: seen now, seen once and replaced, never seen (SES-21). */
export const eventSurfaces = ["current", "shadowed", "log-only"] as const;
export type EventSurface = (typeof eventSurfaces)[number];

/** As much of an event as the surface is made of. */
export type SurfaceRow = Pick<SessionEvent, "seq" | "type"> & { readonly surfaceOp?: SurfaceOp | undefined };
export type SurfaceMap = {
  surfaceOf(seq: number): EventSurface;
  /** the event that replaced this one, null while nothing did */
  replacedBy(seq: number): number | null;
  /** what this event replaced, in their order */
  replaced(seq: number): readonly number[];
};

/** Follows a log's surface from its beginning. @throws RangeError for a replacement whose range is not on the surface */
export function mapSurface(events: Iterable<SurfaceRow>): SurfaceMap {
  const current: number[] = [];
  const successor = new Map<number, number>();
  const hidden = new Map<number, readonly number[]>();
  for (const { seq, type, surfaceOp } of events) {
    if (!(surfaceTypes as readonly string[]).includes(type)) continue;
    if (typeof surfaceOp !== "object") {
      current.push(seq);
      continue;
    }
    const [from, to] = [current.indexOf(surfaceOp.start), current.indexOf(surfaceOp.end)];
    if (from < 0 || to < from) throw new RangeError(`event ${seq} replaces what is not on the surface`);
    const removed = current.splice(from, to - from + 1, seq);
    for (const gone of removed) successor.set(gone, seq);
    hidden.set(seq, removed);
  }
  const now = new Set(current);
  return {
    surfaceOf: (seq) => (now.has(seq) ? "current" : successor.has(seq) ? "shadowed" : "log-only"),
    replacedBy: (seq) => successor.get(seq) ?? null,
    replaced: (seq) => hidden.get(seq) ?? [],
  };
}
