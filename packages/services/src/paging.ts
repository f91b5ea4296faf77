import { AppError } from "@gantry/contracts";

export type Page<T> = { readonly items: T[]; readonly nextCursor: string | null };

/** Place of a row in a list sorted by time, then id, both descending. */
export type Place = { readonly time: Date; readonly id: string };

export const defaultPageSize = 50;

export function placeToCursor(place: Place): string {
  return `${place.time.getTime().toString(36)}_${place.id}`;
}

/** @throws BAD_REQUEST for a text that no list gave out */
export function cursorToPlace(cursor: string): Place {
  const match = /^([0-9a-z]{1,9})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(cursor);
  if (!match?.[1] || !match[2]) throw new AppError("BAD_REQUEST", "The list cannot go on from this cursor. Load the list again.");
  return { time: new Date(Number.parseInt(match[1], 36)), id: match[2] };
}

/** Cuts the extra row that a query read to learn whether a next page exists. */
export function toPage<Row, T>(rows: Row[], limit: number, view: (row: Row) => T, place: (row: Row) => Place): Page<T> {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { items: rows.slice(0, limit).map(view), nextCursor: last ? placeToCursor(place(last)) : null };
}
